import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version: it adds a table that no older version reads. What an older node creates meanwhile has no
 * owner and belongs to the tenant, so end the older nodes soon. The owners of what exists are read from the rows and, for
 * enrolment secrets, webhooks and channels, from the audit log as far back as it is kept.
 */
export async function createHoldings(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('holdings')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('holding_id', text, (column) => column.notNull())
    .addColumn('owner_id', text, (column) => column.notNull())
    .addColumn('via_client_id', text)
    .addColumn('owned_since', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('holdings_pkey', ['tenant_id', 'kind', 'holding_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('holdings_by_owner')
    .on('holdings')
    .columns(['tenant_id', 'owner_id'])
    .execute();
  await sql`create index holdings_by_client on holdings (tenant_id, via_client_id) where via_client_id is not null`.execute(
    db,
  );
  for (const source of SOURCES) {
    await sql`insert into holdings (tenant_id, kind, holding_id, owner_id, owned_since) ${sql.raw(source)}`.execute(
      db,
    );
  }
}

/** What the command line or an operator credential created belongs to the tenant. The column needs its table. */
function isOwner(column: string): string {
  return `substr(${column}, 1, 4) in ('acc_', 'tok_', 'cli_')
    and not exists (select 1 from tokens creator where creator.tenant_id = '' and creator.token_id = ${column})`;
}

/** The newest audit entry of an action on each object names the one who did it. */
function lastActor(
  kind: string,
  { table, id, actions }: { table: string; id: string; actions: string },
): string {
  return `select entry.tenant_id, '${kind}', entry.resource_id, entry.actor_id, entry.occurred_at
    from audit_entries entry
    join ${table} on ${table}.tenant_id = entry.tenant_id and ${table}.${id} = entry.resource_id
    where entry.action in (${actions}) and entry.outcome = 'success' and ${isOwner('entry.actor_id')}
      and not exists (select 1 from audit_entries later
        where later.tenant_id = entry.tenant_id and later.resource_id = entry.resource_id
          and later.action in (${actions}) and later.outcome = 'success'
          and later.audit_id > entry.audit_id)`;
}

const SOURCES: readonly string[] = [
  `select tenant_id, 'token', token_id, created_by, created_at from tokens
    where tenant_id <> '' and client_id is null and device_id is null and max_uses is null
      and ${isOwner('tokens.created_by')}`,
  // The creator in the row is the token of 15 minutes that the console had.
  lastActor('enrolment', { table: 'tokens', id: 'token_id', actions: `'enrolment.create'` }),
  `select tenant_id, 'oauth_client', client_id, created_by, created_at from oauth_clients
    where ${isOwner('oauth_clients.created_by')}`,
  `select tenant_id, 'invitation', invitation_id, created_by, created_at from invitations
    where accepted_at is null and revoked_at is null and ${isOwner('invitations.created_by')}`,
  lastActor('webhook', { table: 'webhooks', id: 'webhook_id', actions: `'webhook.create'` }),
  lastActor('notice_channel', {
    table: 'notice_channels',
    id: 'channel_id',
    actions: `'notice_channel.create'`,
  }),
  `select tenant_id, 'sign_on', tenant_id, updated_by, updated_at from sign_on_providers
    where ${isOwner('sign_on_providers.updated_by')}`,
];

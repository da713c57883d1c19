import { CompiledQuery } from 'kysely';
import type { Engine, Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { WebhookKey } from '../webhook.ts';

/** The columns of a webhook that its deliveries need. */
export interface SenderRow {
  tenant_id: string;
  webhook_id: string;
  url: string;
  secret_key_id: string;
  secret: Uint8Array;
  previous_secret_key_id: string | null;
  previous_secret: Uint8Array | null;
  previous_secret_until: number | null;
  last_status: string | null;
  circuit: string | null;
  silent_until: number | null;
}

/** An event of a tenant. */
export interface EventKey {
  readonly tenantId: TenantId;
  readonly eventId: string;
}

/** Rows of a JSON parameter: a statement has the same text for any number of keys. */
const WANTED: Record<Engine, string> = {
  sqlite: `(select value ->> 'tenantId' as tenant_id, value ->> 'id' as id from json_each(?))`,
  postgres: `(select "tenantId" as tenant_id, id from json_to_recordset($1) as key("tenantId" text, id text))`,
};
const KEY_IDS: Record<Engine, string> = {
  sqlite: 'select value from json_each(?)',
  postgres: 'select json_array_elements_text($2)',
};

/** Lists the active ones of these webhooks whose secret is sealed under one of these keys. */
export async function listSenders(
  queries: Queries,
  webhooks: readonly WebhookKey[],
  secretKeyIds: readonly string[],
): Promise<SenderRow[]> {
  const { engine } = queries;
  const statement = `
    select w.tenant_id, w.webhook_id, w.url, w.secret_key_id, w.secret, w.previous_secret_key_id, w.previous_secret,
      w.previous_secret_until, s.last_status, c.state as circuit, c.silent_until
    from ${WANTED[engine]} wanted
    join webhooks w on w.tenant_id = wanted.tenant_id and w.webhook_id = wanted.id
    left join webhook_states s on s.tenant_id = w.tenant_id and s.webhook_id = w.webhook_id
    left join webhook_circuits c on c.tenant_id = w.tenant_id and c.webhook_id = w.webhook_id
    where w.status = 'active' and w.secret_key_id in (${KEY_IDS[engine]})`;
  const wanted = webhooks.map(({ tenantId, webhookId }) => ({ tenantId, id: webhookId }));
  return await readAll(queries, statement, [wanted, secretKeyIds]);
}

/** Finds the stored texts of events, by `eventKeyOf`. An event that was purged is left out. */
export async function findBodies(
  queries: Queries,
  events: readonly EventKey[],
): Promise<Map<string, Buffer>> {
  if (events.length === 0) return new Map();
  const wanted = new Map(
    events.map((event) => [eventKeyOf(event), { tenantId: event.tenantId, id: event.eventId }]),
  );
  // With `limit`, the planner of PostgreSQL knows how few events are wanted. Without it, it would read all of them.
  const statement = `
    select wanted.tenant_id as "tenantId", wanted.id as "eventId",
      (select e.body from events e where e.tenant_id = wanted.tenant_id and e.event_id = wanted.id limit 1) as body
    from ${WANTED[queries.engine]} wanted`;
  const rows = await readAll<EventKey & { readonly body: string | null }>(queries, statement, [
    [...wanted.values()],
  ]);
  return new Map(
    rows.flatMap((row) => (row.body === null ? [] : [[eventKeyOf(row), Buffer.from(row.body)]])),
  );
}

export function eventKeyOf({ tenantId, eventId }: EventKey): string {
  return `${tenantId} ${eventId}`;
}

async function readAll<Row>(queries: Queries, text: string, parameters: readonly unknown[]): Promise<Row[]> {
  const json = parameters.map((parameter) => JSON.stringify(parameter));
  const { rows } = await queries.db.executeQuery<Row>(CompiledQuery.raw(text, json));
  return rows;
}

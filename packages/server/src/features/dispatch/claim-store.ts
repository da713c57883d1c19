import { sql } from 'kysely';
import type { Queries, ReadQueries } from '../../database/index.ts';
import type { SealedSecret } from '../../platform/secret-box.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { ClaimedDelivery, WebhookKey } from './claimed-delivery.ts';

/** A webhook to claim deliveries of, and how many at most. */
export interface Candidate extends WebhookKey {
  readonly room: number;
}

export interface Lease {
  readonly nodeId: string;
  readonly nowMs: number;
  readonly endsAtMs: number;
  /** Keys that this process can open secrets with: it leaves alone what another must sign. */
  readonly keyIds: readonly string[];
}

interface DueRow {
  tenant_id: string;
  webhook_id: string;
  delivery_id: string;
  event_id: string;
  test_body: string | null;
  claims: number;
  attempts: number;
  dead_at: number | null;
  url: string;
  secret_key_id: string;
  secret: Uint8Array;
  previous_secret_key_id: string | null;
  previous_secret: Uint8Array | null;
  previous_secret_until: number | null;
  failing_since: number | null;
  body: string | null;
}

const COLUMNS = sql.raw(`
  d.tenant_id, d.webhook_id, d.delivery_id, d.event_id, d.test_body, d.claims, d.attempts, d.dead_at,
  w.url, w.secret_key_id, w.secret, w.previous_secret_key_id, w.previous_secret, w.previous_secret_until,
  s.failing_since, e.body`);

/**
 * Claims the deliveries of these webhooks that have been due the longest, each webhook's own number at most, however
 * long the queue of another is. Nobody else gets them until the lease ends. A delivery whose event is no longer kept
 * has nothing to send and is removed.
 */
export async function claimDue(
  tx: Queries,
  candidates: readonly Candidate[],
  lease: Lease,
): Promise<ClaimedDelivery[]> {
  const rows =
    tx.engine === 'postgres' ? await lockDue(tx, candidates, lease) : await readDue(tx, candidates, lease);
  await tx.updateMany(
    'deliveries',
    ['tenant_id', 'webhook_id', 'delivery_id'],
    rows.map((row) => ({
      tenant_id: row.tenant_id,
      webhook_id: row.webhook_id,
      delivery_id: row.delivery_id,
      claims: row.claims + 1,
      due_at: lease.endsAtMs,
      leased_by: lease.nodeId,
    })),
  );
  const claimed = rows.flatMap((row) => toClaimed(row, lease));
  if (claimed.length < rows.length) {
    await removeMany(
      tx,
      rows.filter((row) => (row.body ?? row.test_body) === null),
    );
  }
  return claimed;
}

/** SQLite has one writer, so nothing has to be locked, and a statement costs microseconds: one for each webhook. */
async function readDue(tx: Queries, candidates: readonly Candidate[], lease: Lease): Promise<DueRow[]> {
  const rows: DueRow[] = [];
  for (const { tenantId, webhookId, room } of candidates) {
    const found = await sql<DueRow>`
      select ${COLUMNS}
      from deliveries d
      join webhooks w on w.tenant_id = d.tenant_id and w.webhook_id = d.webhook_id
      left join webhook_states s on s.tenant_id = d.tenant_id and s.webhook_id = d.webhook_id
      left join events e on e.tenant_id = d.tenant_id and e.event_id = d.event_id
      where d.tenant_id = ${tenantId} and d.webhook_id = ${webhookId} and d.due_at <= ${lease.nowMs}
        and w.status = 'active' and ${tx.anyOf(sql.ref('w.secret_key_id'), lease.keyIds)}
      order by d.due_at limit ${room}`.execute(tx.db);
    rows.push(...found.rows);
  }
  return rows;
}

/** On PostgreSQL a round trip costs more than the search: one statement for all, past what another node is claiming. */
async function lockDue(tx: Queries, candidates: readonly Candidate[], lease: Lease): Promise<DueRow[]> {
  const wanted = JSON.stringify(
    candidates.map(({ tenantId, webhookId, room }) => ({ tenant_id: tenantId, webhook_id: webhookId, room })),
  );
  const { rows } = await sql<DueRow>`
    select ${COLUMNS}
    from json_to_recordset(${wanted}) as c(tenant_id text, webhook_id text, room bigint)
    join webhooks w on w.tenant_id = c.tenant_id and w.webhook_id = c.webhook_id
      and w.status = 'active' and ${tx.anyOf(sql.ref('w.secret_key_id'), lease.keyIds)}
    cross join lateral (
      select * from deliveries
      where tenant_id = w.tenant_id and webhook_id = w.webhook_id and due_at <= ${lease.nowMs}
      order by due_at limit c.room for update skip locked
    ) d
    left join webhook_states s on s.tenant_id = d.tenant_id and s.webhook_id = d.webhook_id
    left join events e on e.tenant_id = d.tenant_id and e.event_id = d.event_id`.execute(tx.db);
  return rows;
}

/** Lists the webhooks that have a delivery due: one look into the index for each active webhook of all tenants. */
export async function listDue(
  queries: ReadQueries,
  { nowMs, keyIds }: Pick<Lease, 'nowMs' | 'keyIds'>,
): Promise<WebhookKey[]> {
  const query = sql<{ tenant_id: string; webhook_id: string }>`
    select w.tenant_id, w.webhook_id from webhooks w
    where w.status = 'active' and ${queries.anyOf(sql.ref('w.secret_key_id'), keyIds)}
      and (select d.due_at from deliveries d
           where d.tenant_id = w.tenant_id and d.webhook_id = w.webhook_id and d.due_at is not null
           order by d.due_at limit 1) <= ${nowMs}`;
  const { rows } = await query.execute(queries.db as never);
  return rows.map((row) => ({ tenantId: row.tenant_id as TenantId, webhookId: row.webhook_id }));
}

/** Gives a claim back: it is due again at once and, unless it may have been sent, as if it had never been claimed. */
export async function giveBack(
  tx: Queries,
  delivery: ClaimedDelivery,
  { nowMs, wasSent }: { nowMs: number; wasSent: boolean },
): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ leased_by: null, due_at: nowMs, claims: wasSent ? delivery.claims : delivery.claims - 1 })
    .where('tenant_id', '=', delivery.tenantId)
    .where('webhook_id', '=', delivery.webhookId)
    .where('delivery_id', '=', delivery.deliveryId)
    // A lease that has run out may be somebody else's by now.
    .where('claims', '=', delivery.claims)
    .execute();
}

/** Ends the leases of a process that is no more. Only for a store that belongs to one process. */
export async function endAllLeases(tx: Queries, nowMs: number): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ leased_by: null, due_at: nowMs })
    .where('due_at', 'is not', null)
    .where('leased_by', 'is not', null)
    .execute();
}

async function removeMany(tx: Queries, rows: readonly DueRow[]): Promise<void> {
  for (const { tenant_id, webhook_id, delivery_id } of rows) {
    await tx.db
      .deleteFrom('deliveries')
      .where('tenant_id', '=', tenant_id)
      .where('webhook_id', '=', webhook_id)
      .where('delivery_id', '=', delivery_id)
      .execute();
  }
}

function toClaimed(row: DueRow, lease: Lease): ClaimedDelivery[] {
  const body = row.test_body ?? row.body;
  if (body === null) return [];
  return [
    {
      tenantId: row.tenant_id as TenantId,
      webhookId: row.webhook_id,
      deliveryId: row.delivery_id,
      eventId: row.event_id,
      isTest: row.test_body !== null,
      body,
      claims: row.claims + 1,
      attempts: row.attempts,
      deadAtMs: row.dead_at,
      leaseEndsAtMs: lease.endsAtMs,
      url: row.url,
      secret: toSealed(row.secret_key_id, row.secret),
      previous:
        row.previous_secret === null
          ? null
          : {
              secret: toSealed(row.previous_secret_key_id ?? '', row.previous_secret),
              untilMs: row.previous_secret_until ?? 0,
            },
      failingSinceMs: row.failing_since,
    },
  ];
}

function toSealed(keyId: string, bytes: Uint8Array): SealedSecret {
  return { keyId, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

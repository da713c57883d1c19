import { CompiledQuery, sql } from 'kysely';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { secretBinding, type WebhookKey, webhookKeyOf } from '../webhook.ts';
import { CLAIM_OF_ALL, DUE_OF_ONE } from './claim-read-model.ts';
import type { ClaimedDelivery, SigningSecrets } from './claimed-delivery.ts';

/** A webhook to claim deliveries of, and the maximum number. */
export interface Candidate extends WebhookKey {
  readonly limit: number;
}

export interface Lease {
  readonly nodeId: string;
  readonly nowMs: number;
  readonly endsAtMs: number;
  /** The secrets that this process can open; deliveries that need another process to sign them are left alone. */
  readonly secrets: SecretBox;
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
  replay: string | null;
  url: string;
  secret_key_id: string;
  secret: Uint8Array;
  previous_secret_key_id: string | null;
  previous_secret: Uint8Array | null;
  previous_secret_until: number | null;
  last_status: string | null;
  circuit: string | null;
  body: string | null;
}

/**
 * Claims the deliveries of these webhooks that have been due the longest, up to each webhook's limit, regardless of
 * the length of the other queues. No other process gets them until the lease ends. A delivery whose event was
 * purged has nothing to send and is removed.
 */
export async function claimDue(
  tx: Queries,
  candidates: readonly Candidate[],
  lease: Lease,
): Promise<ClaimedDelivery[]> {
  const rows =
    tx.engine === 'postgres' ? await claimAll(tx, candidates, lease) : await claimEach(tx, candidates, lease);
  const gone = rows.filter((row) => row.body === null && row.test_body === null);
  for (const row of gone) await remove(tx, row);
  return toClaimed(rows, lease);
}

/** SQLite has one writer, so no locks are needed, and a statement costs microseconds: one per webhook. */
async function claimEach(tx: Queries, candidates: readonly Candidate[], lease: Lease): Promise<DueRow[]> {
  const rows: DueRow[] = [];
  const keyIds = JSON.stringify(lease.secrets.keyIds);
  for (const { tenantId, webhookId, limit } of candidates) {
    const parameters = [tenantId, webhookId, lease.nowMs, keyIds, limit];
    const found = await tx.db.executeQuery<DueRow>(CompiledQuery.raw(DUE_OF_ONE, parameters));
    rows.push(...found.rows);
  }
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
  return rows;
}

/**
 * On PostgreSQL a round trip costs more than the search: one statement for all, skipping rows that another node
 * claims.
 */
async function claimAll(tx: Queries, candidates: readonly Candidate[], lease: Lease): Promise<DueRow[]> {
  const wanted = JSON.stringify(
    candidates.map(({ tenantId, webhookId, limit }) => ({
      tenant_id: tenantId,
      webhook_id: webhookId,
      max_rows: limit,
    })),
  );
  const parameters = [wanted, lease.secrets.keyIds, lease.nowMs, lease.endsAtMs, lease.nodeId];
  const { rows } = await tx.db.executeQuery<DueRow>(CompiledQuery.raw(CLAIM_OF_ALL, parameters));
  return rows;
}

/** A webhook with a delivery that is due, and the status of its last one. */
export interface DueWebhook extends WebhookKey {
  readonly lastStatus: ClaimedDelivery['lastStatus'];
}

/** Lists the webhooks with a delivery that is due: one index lookup per active webhook of all tenants. */
export async function listDue(
  queries: ReadQueries,
  { nowMs, secrets }: Pick<Lease, 'nowMs' | 'secrets'>,
): Promise<DueWebhook[]> {
  const query = sql<{ tenant_id: string; webhook_id: string; last_status: string | null }>`
    select w.tenant_id, w.webhook_id, s.last_status from webhooks w
    left join webhook_states s on s.tenant_id = w.tenant_id and s.webhook_id = w.webhook_id
    where w.status = 'active' and ${queries.anyOf(sql.ref('w.secret_key_id'), secrets.keyIds)}
      and (select d.due_at from deliveries d
           where d.tenant_id = w.tenant_id and d.webhook_id = w.webhook_id and d.due_at is not null
           order by d.due_at limit 1) <= ${nowMs}`;
  const { rows } = await query.execute(queries.db as never);
  return rows.map((row) => ({
    tenantId: row.tenant_id as TenantId,
    webhookId: row.webhook_id,
    lastStatus: row.last_status as DueWebhook['lastStatus'],
  }));
}

/** Releases a claim: the delivery is due again at once. Its claim number is used up, even if nothing was sent. */
export async function release(tx: Queries, delivery: ClaimedDelivery, nowMs: number): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ leased_by: null, due_at: nowMs })
    .where('tenant_id', '=', delivery.tenantId)
    .where('webhook_id', '=', delivery.webhookId)
    .where('delivery_id', '=', delivery.deliveryId)
    // An expired lease may belong to another process by now.
    .where('claims', '=', delivery.claims)
    .where('leased_by', 'is not', null)
    .execute();
}

/** Ends the leases of a process that has died. Only for a store that belongs to one process. */
export async function endAllLeases(tx: Queries, nowMs: number): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ leased_by: null, due_at: nowMs })
    .where('due_at', 'is not', null)
    .where('leased_by', 'is not', null)
    .execute();
}

async function remove(tx: Queries, { tenant_id, webhook_id, delivery_id }: DueRow): Promise<void> {
  await tx.db
    .deleteFrom('deliveries')
    .where('tenant_id', '=', tenant_id)
    .where('webhook_id', '=', webhook_id)
    .where('delivery_id', '=', delivery_id)
    .execute();
}

/** Opens each webhook's secrets once, for any number of claimed deliveries. */
function toClaimed(rows: readonly DueRow[], lease: Lease): ClaimedDelivery[] {
  const signings = new Map<string, SigningSecrets | undefined>();
  return rows.flatMap((row) => {
    const body = row.test_body ?? row.body;
    if (body === null) return [];
    const key = { tenantId: row.tenant_id as TenantId, webhookId: row.webhook_id };
    const name = webhookKeyOf(key);
    if (!signings.has(name)) signings.set(name, openSecrets(row, lease.secrets));
    return [
      {
        ...key,
        deliveryId: row.delivery_id,
        eventId: row.event_id,
        isTest: row.test_body !== null,
        body,
        claims: row.claims + 1,
        attempts: row.attempts,
        replayedSinceMs: row.replay === 'running' ? row.dead_at : null,
        isCircuitOpen: row.circuit === 'open',
        leaseEndsAtMs: lease.endsAtMs,
        url: row.url,
        signing: signings.get(name),
        lastStatus: row.last_status as ClaimedDelivery['lastStatus'],
      },
    ];
  });
}

function openSecrets(row: DueRow, secrets: SecretBox): SigningSecrets | undefined {
  const binding = secretBinding(row.tenant_id, row.webhook_id);
  const open = (keyId: string | null, bytes: Uint8Array | null) =>
    bytes === null ? undefined : secrets.open({ keyId: keyId ?? '', bytes: Buffer.from(bytes) }, binding);
  const secret = open(row.secret_key_id, row.secret);
  const previous = open(row.previous_secret_key_id, row.previous_secret);
  return (
    secret && {
      secret,
      previous: previous && { secret: previous, untilMs: row.previous_secret_until ?? 0 },
    }
  );
}

import { CompiledQuery, sql } from 'kysely';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { secretBinding, type WebhookKey, webhookKeyOf } from '../webhook.ts';
import { CLAIM_OF_ALL, DUE_OF_ONE } from './claim-read-model.ts';
import type { ClaimedDelivery, SigningSecrets } from './claimed-delivery.ts';

/** A webhook to claim deliveries of, and how many at most. */
export interface Candidate extends WebhookKey {
  readonly limit: number;
}

export interface Lease {
  readonly nodeId: string;
  readonly nowMs: number;
  readonly endsAtMs: number;
  /** What this process can open secrets with: it leaves alone what another must sign. */
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
  url: string;
  secret_key_id: string;
  secret: Uint8Array;
  previous_secret_key_id: string | null;
  previous_secret: Uint8Array | null;
  previous_secret_until: number | null;
  last_status: string | null;
  body: string | null;
}

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
    tx.engine === 'postgres' ? await claimAll(tx, candidates, lease) : await claimEach(tx, candidates, lease);
  const gone = rows.filter((row) => row.body === null && row.test_body === null);
  for (const row of gone) await remove(tx, row);
  return toClaimed(rows, lease);
}

/** SQLite has one writer, so nothing has to be locked, and a statement costs microseconds: one for each webhook. */
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

/** On PostgreSQL a round trip costs more than the search: one statement for all, past what another node is claiming. */
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

/** A webhook that has a delivery due, and how its last one ended. */
export interface DueWebhook extends WebhookKey {
  readonly lastStatus: ClaimedDelivery['lastStatus'];
}

/** Lists the webhooks that have a delivery due: one look into the index for each active webhook of all tenants. */
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

/** Gives a claim back: it is due again at once. Its number is used up, whether it was sent or not. */
export async function release(tx: Queries, delivery: ClaimedDelivery, nowMs: number): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ leased_by: null, due_at: nowMs })
    .where('tenant_id', '=', delivery.tenantId)
    .where('webhook_id', '=', delivery.webhookId)
    .where('delivery_id', '=', delivery.deliveryId)
    // A lease that has run out may be somebody else's by now.
    .where('claims', '=', delivery.claims)
    .where('leased_by', 'is not', null)
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

async function remove(tx: Queries, { tenant_id, webhook_id, delivery_id }: DueRow): Promise<void> {
  await tx.db
    .deleteFrom('deliveries')
    .where('tenant_id', '=', tenant_id)
    .where('webhook_id', '=', webhook_id)
    .where('delivery_id', '=', delivery_id)
    .execute();
}

/** Each webhook's secrets are opened once, however many of its deliveries were claimed. */
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

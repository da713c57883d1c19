import { sql } from 'kysely';
import { forUpdate, type Queries, type ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { CircuitStatus, WebhookKey } from '../webhook.ts';
import type { Circuit } from './circuit.ts';

const KEY = ['tenant_id', 'webhook_id'] as const;

/** Adds the circuits of webhooks that have none. Returns these. */
export async function openMany(tx: Queries, circuits: readonly Circuit[]): Promise<Circuit[]> {
  const added = await tx.insertIgnoringConflicts('webhook_circuits', KEY, circuits.map(toRow));
  return added.flatMap((index) => circuits[index] ?? []);
}

export async function save(tx: Queries, circuit: Circuit): Promise<void> {
  await tx.updateMany('webhook_circuits', KEY, [toRow(circuit)]);
}

/** Closes a circuit. */
export async function remove(tx: Queries, { tenantId, webhookId }: WebhookKey): Promise<void> {
  await tx.db
    .deleteFrom('webhook_circuits')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .execute();
}

/** Removes circuits that running attempts have opened for webhooks that were removed in the meantime. */
export async function removeLost(tx: Queries, tenantId: TenantId): Promise<void> {
  await tx.db
    .deleteFrom('webhook_circuits')
    .where('tenant_id', '=', tenantId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhooks')
            .select('webhooks.webhook_id')
            .whereRef('webhooks.tenant_id', '=', 'webhook_circuits.tenant_id')
            .whereRef('webhooks.webhook_id', '=', 'webhook_circuits.webhook_id'),
        ),
      ),
    )
    .execute();
}

/** Makes an open circuit wait until the receiver accepts requests again. A webhook without a circuit is left alone. */
export async function silence(
  tx: Queries,
  { tenantId, webhookId }: WebhookKey,
  untilMs: number,
): Promise<void> {
  await tx.db
    .updateTable('webhook_circuits')
    .set({
      silent_until: untilMs,
      due_at: sql`case when state = 'open' and due_at < ${untilMs} then ${untilMs} else due_at end`,
    })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where(({ eb, or }) => or([eb('silent_until', 'is', null), eb('silent_until', '<', untilMs)]))
    .execute();
}

/** Allows requests to a receiver that asked for none. */
export async function endSilence(tx: Queries, { tenantId, webhookId }: WebhookKey): Promise<void> {
  await tx.db
    .updateTable('webhook_circuits')
    .set({ silent_until: null })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('silent_until', 'is not', null)
    .execute();
}

/** Makes the next probe of these webhooks due, if they wait for one and the receiver accepts requests. */
export async function probeNow(tx: Queries, keys: readonly WebhookKey[], nowMs: number): Promise<void> {
  for (const { tenantId, webhookId } of keys) {
    await tx.db
      .updateTable('webhook_circuits')
      .set({ due_at: nowMs, failed_probes: 0 })
      .where('tenant_id', '=', tenantId)
      .where('webhook_id', '=', webhookId)
      .where('state', '=', 'open')
      .where('due_at', '>', nowMs)
      .where(({ eb, or }) => or([eb('silent_until', 'is', null), eb('silent_until', '<=', nowMs)]))
      .execute();
  }
}

/** Finds the status of these webhooks' circuits. Closed ones are left out. */
export async function findMany(
  queries: ReadQueries,
  tenantId: TenantId,
  webhookIds: readonly string[],
): Promise<Map<string, CircuitStatus>> {
  const rows = await queries.db
    .selectFrom('webhook_circuits')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('webhook_id', webhookIds))
    .execute();
  return new Map(rows.map((row) => [row.webhook_id, toCircuit(row)]));
}

/** Lists circuits with something to do, of webhooks that are active and replay their dead letters. */
export async function listDue(
  queries: ReadQueries,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<WebhookKey[]> {
  const rows = await ofReplaying(queries)
    .select(['c.tenant_id', 'c.webhook_id'])
    .where('c.due_at', '<=', nowMs)
    .orderBy('c.due_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ tenantId: row.tenant_id as TenantId, webhookId: row.webhook_id }));
}

/** Counts the webhooks of all tenants whose receiver does not respond. */
export async function countOpen(queries: ReadQueries): Promise<number> {
  const { total } = await ofReplaying(queries)
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function findForUpdate(
  tx: Queries,
  { tenantId, webhookId }: WebhookKey,
): Promise<Circuit | undefined> {
  const query = tx.db
    .selectFrom('webhook_circuits')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId);
  const row = await forUpdate(tx, query).executeTakeFirst();
  return row && toCircuit(row);
}

function ofReplaying(queries: ReadQueries) {
  return queries.db
    .selectFrom('webhook_circuits as c')
    .innerJoin('webhooks as w', (join) =>
      join.onRef('w.tenant_id', '=', 'c.tenant_id').onRef('w.webhook_id', '=', 'c.webhook_id'),
    )
    .where('w.status', '=', 'active')
    .where('w.auto_replay', '=', 1);
}

function toRow(circuit: Circuit): Row<'webhook_circuits'> {
  return {
    tenant_id: circuit.tenantId,
    webhook_id: circuit.webhookId,
    state: circuit.state,
    due_at: circuit.dueAtMs,
    opened_at: circuit.openedAtMs,
    failed_probes: circuit.failedProbes,
    replayed: circuit.replayed,
    batch_size: circuit.batch?.size ?? 0,
    batch_from: circuit.batch?.from ?? null,
    batch_until: circuit.batch?.until ?? null,
    silent_until: circuit.silentUntilMs,
  };
}

function toCircuit(row: Row<'webhook_circuits'>): Circuit {
  const { batch_size: size, batch_from: from, batch_until: until } = row;
  return {
    tenantId: row.tenant_id as TenantId,
    webhookId: row.webhook_id,
    state: row.state as Circuit['state'],
    dueAtMs: row.due_at,
    openedAtMs: row.opened_at,
    failedProbes: row.failed_probes,
    replayed: row.replayed,
    silentUntilMs: row.silent_until,
    batch: from === null || until === null ? null : { size, from, until },
  };
}

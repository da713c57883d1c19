import type { CountInterval, Counts, DeliveryStatus } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import { sql } from 'kysely';
import {
  type Condition,
  countByTime,
  type FilteredRows,
  forUpdate,
  idsWithin,
  matches,
  type Queries,
  type ReadQueries,
  readFiltered,
  within,
} from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { PageRequest } from '../../../platform/http/page.ts';
import { type AnyOf, EVER, type TimeRange } from '../../../platform/list-filters.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { DeliveryRecord } from './delivery.ts';
import * as recoveryStore from './recovery-store.ts';

const KEY = ['tenant_id', 'webhook_id', 'delivery_id'] as const;

/** A delivery to start. */
export type NewDelivery = Pick<DeliveryRecord, 'webhookId' | 'deliveryId' | 'eventId' | 'testBody'>;

/** Adds deliveries that are due at once. Returns the indexes of the new ones. */
export function createMany(
  tx: Queries,
  tenantId: TenantId,
  { deliveries, nowMs }: { deliveries: readonly NewDelivery[]; nowMs: number },
): Promise<number[]> {
  return tx.insertIgnoringConflicts(
    'deliveries',
    KEY,
    deliveries.map((delivery) => toNewRow(tenantId, delivery, nowMs)),
  );
}

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  { webhookId, deliveryId }: Pick<DeliveryRecord, 'webhookId' | 'deliveryId'>,
): Promise<DeliveryRecord | undefined> {
  const row = await queries.db
    .selectFrom('deliveries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirst();
  return row && toRecord(row);
}

export interface DeliveryFilter {
  readonly webhookId: string;
  readonly status?: AnyOf<DeliveryStatus> | undefined;
  readonly eventId?: AnyOf | undefined;
  readonly created?: TimeRange | undefined;
}

/** Lists the deliveries of a webhook, newest first. */
export function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, page }: { filter: DeliveryFilter; page: PageRequest },
): Promise<DeliveryRecord[]> {
  return readFiltered(queries, filteredRows(queries, tenantId, filter), {
    page,
    read: async (where, limit) => {
      const query = queries.db.selectFrom('deliveries').selectAll().where(where);
      return (await query.orderBy('delivery_id', 'desc').limit(limit).execute()).map(toRecord);
    },
  });
}

export function countOverTime(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, interval }: { filter: DeliveryFilter; interval: CountInterval | undefined },
): Promise<Counts> {
  const rows = { ...filteredRows(queries, tenantId, filter), time: sql<number>`created_at` };
  return countByTime(queries, rows, { range: filter.created ?? EVER, interval });
}

function filteredRows(queries: ReadQueries, tenantId: TenantId, filter: DeliveryFilter): FilteredRows {
  const { webhookId, status, eventId, created = EVER } = filter;
  return {
    from: sql.table('deliveries'),
    scope: [
      sql`tenant_id = ${tenantId}`,
      sql`webhook_id = ${webhookId}`,
      // The id of a delivery has the time of its event, which was never after that of the delivery.
      ...idsWithin('delivery_id', ID_PREFIXES.delivery, { sinceMs: undefined, untilMs: created.untilMs }),
      ...indexedStatus(status),
    ],
    key: [sql.ref('delivery_id')],
    conditions: [
      ...matches(queries, 'status', status),
      ...matches(queries, 'event_id', eventId),
      ...within('created_at', created),
    ],
  };
}

/**
 * Literals, because otherwise neither engine could know that the index of failed or pending deliveries covers the query.
 * They are in the scope, so that a page of few failures among many deliveries is found at once.
 */
function indexedStatus(status: AnyOf<DeliveryStatus> | undefined): Condition[] {
  const [only, ...others] = status?.values ?? [];
  if (status?.not || others.length > 0) return [];
  if (only === 'pending') return [sql`due_at is not null`];
  return only === 'failed' ? [sql`status = 'failed'`] : [];
}

/**
 * Restarts the failed ones among these deliveries of a webhook, with all their attempts. Dead letters stay until
 * one succeeds. Counts as a claim, so that an earlier attempt can no longer be recorded.
 */
export async function restartFailed(
  tx: Queries,
  tenantId: TenantId,
  { webhookId, deliveryIds, nowMs }: { webhookId: string; deliveryIds: readonly string[]; nowMs: number },
): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set((row) => ({
      status: 'pending',
      attempts: 0,
      due_at: nowMs,
      leased_by: null,
      claims: row('claims', '+', 1),
    }))
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where(tx.anyOf('delivery_id', deliveryIds))
    .where('status', '=', 'failed')
    .execute();
}

/** Finds a dead letter by its id alone, and locks it. Other deliveries cannot be found this way. */
export async function findDeadForUpdate(
  tx: Queries,
  tenantId: TenantId,
  deliveryId: string,
): Promise<DeliveryRecord | undefined> {
  const query = tx.db
    .selectFrom('deliveries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('delivery_id', '=', deliveryId)
    .where('dead_at', 'is not', null);
  const row = await forUpdate(tx, query).executeTakeFirst();
  return row && toRecord(row);
}

/** Removes a dead letter from the list. The delivery remains, with status failed. */
export async function acknowledge(
  tx: Queries,
  tenantId: TenantId,
  { webhookId, deliveryId }: Pick<DeliveryRecord, 'webhookId' | 'deliveryId'>,
): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ dead_at: null, replay: null })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('delivery_id', '=', deliveryId)
    .execute();
}

/** Rows per DELETE statement: small enough not to delay events. */
const MAX_REMOVED = 5000;

/**
 * Removes the deliveries of a webhook that is being removed, including dead letters and unfinished recoveries. If
 * there are very many, the rest is purged later: without their webhook they are neither sent nor shown.
 */
export async function removeOfWebhook(tx: Queries, tenantId: TenantId, webhookId: string): Promise<void> {
  await recoveryStore.removeOfWebhook(tx, tenantId, webhookId);
  const some = await tx.db
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .limit(MAX_REMOVED)
    .execute();
  const deliveryIds = some.map((row) => row.delivery_id);
  // Passed as values: with a subquery PostgreSQL compared each row with each of them, 5.8 s for 5000.
  await tx.db
    .deleteFrom('deliveries')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where(tx.anyOf('delivery_id', deliveryIds))
    .execute();
}

export function toRecord(row: Row<'deliveries'>): DeliveryRecord {
  return {
    webhookId: row.webhook_id,
    deliveryId: row.delivery_id,
    eventId: row.event_id,
    testBody: row.test_body,
    status: row.status as DeliveryStatus,
    dueAtMs: row.due_at,
    attempts: row.attempts,
    createdAtMs: row.created_at,
    lastAttemptAtMs: row.last_attempt_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
    lastResponse: row.last_response,
    lastDurationMs: row.last_duration_ms,
    deadAtMs: row.dead_at,
  };
}

function toNewRow(
  tenantId: TenantId,
  { webhookId, deliveryId, eventId, testBody }: NewDelivery,
  nowMs: number,
): Row<'deliveries'> {
  return {
    tenant_id: tenantId,
    webhook_id: webhookId,
    delivery_id: deliveryId,
    event_id: eventId,
    test_body: testBody,
    status: 'pending',
    due_at: nowMs,
    leased_by: null,
    claims: 0,
    attempts: 0,
    created_at: nowMs,
    last_attempt_at: null,
    last_status: null,
    last_error: null,
    last_response: null,
    last_duration_ms: null,
    dead_at: null,
    replay: null,
  };
}

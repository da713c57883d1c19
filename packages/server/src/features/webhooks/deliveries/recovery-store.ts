import { sql } from 'kysely';
import { forUpdate, type Queries, type ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

/** A range of the feed that is checked for events that a webhook has missed. */
export interface Recovery extends RecoveryKey {
  /** Position up to which the range is done. */
  readonly afterPosition: number;
  /** Whether failed deliveries are restarted. */
  readonly restartsFailed: boolean;
}

export interface RecoveryKey {
  readonly tenantId: TenantId;
  readonly webhookId: string;
  /** Last position to check. */
  readonly untilPosition: number;
}

const KEY = ['tenant_id', 'webhook_id', 'until_position'] as const;

/** Starts or advances recoveries. The given values replace those of an existing one. */
export async function saveMany(tx: Queries, recoveries: readonly Recovery[]): Promise<void> {
  await tx.upsertMany(
    'webhook_recoveries',
    KEY,
    recoveries.map((recovery) => ({
      tenant_id: recovery.tenantId,
      webhook_id: recovery.webhookId,
      until_position: recovery.untilPosition,
      after_position: recovery.afterPosition,
      restarts_failed: recovery.restartsFailed ? 1 : 0,
    })),
  );
}

export async function findForUpdate(tx: Queries, key: RecoveryKey): Promise<Recovery | undefined> {
  const query = tx.db
    .selectFrom('webhook_recoveries')
    .selectAll()
    .where('tenant_id', '=', key.tenantId)
    .where('webhook_id', '=', key.webhookId)
    .where('until_position', '=', key.untilPosition);
  const row = await forUpdate(tx, query).executeTakeFirst();
  return row && { ...key, afterPosition: row.after_position, restartsFailed: row.restarts_failed === 1 };
}

/** Lists some of the running recoveries of all tenants, in random order so that none starves. */
export async function listAny(queries: ReadQueries, limit: number): Promise<RecoveryKey[]> {
  const rows = await queries.db
    .selectFrom('webhook_recoveries')
    .select(KEY)
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    tenantId: row.tenant_id as TenantId,
    webhookId: row.webhook_id,
    untilPosition: row.until_position,
  }));
}

/** Counts the positions that are still to be checked, for all tenants. There is a row for each running recovery only. */
export async function countUnchecked({ db }: ReadQueries): Promise<number> {
  const row = await db
    .selectFrom('webhook_recoveries')
    .select(sql<number | null>`sum(until_position - after_position)`.as('total'))
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

export async function remove(
  tx: Queries,
  { tenantId, webhookId, untilPosition }: RecoveryKey,
): Promise<void> {
  await tx.db
    .deleteFrom('webhook_recoveries')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('until_position', '=', untilPosition)
    .execute();
}

export async function removeOfWebhook(tx: Queries, tenantId: TenantId, webhookId: string): Promise<void> {
  await tx.db
    .deleteFrom('webhook_recoveries')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .execute();
}

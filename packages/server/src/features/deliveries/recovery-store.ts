import { forUpdate, type Queries, type ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** A stretch of the feed that is being looked through for events a webhook has missed. */
export interface Recovery {
  readonly tenantId: TenantId;
  readonly webhookId: string;
  readonly afterPosition: number;
  readonly untilPosition: number;
}

const KEY = ['tenant_id', 'webhook_id'] as const;

export async function save(tx: Queries, recovery: Recovery): Promise<void> {
  await tx.upsertMany('webhook_recoveries', KEY, [
    {
      tenant_id: recovery.tenantId,
      webhook_id: recovery.webhookId,
      after_position: recovery.afterPosition,
      until_position: recovery.untilPosition,
    },
  ]);
}

export async function findForUpdate(
  tx: Queries,
  tenantId: TenantId,
  webhookId: string,
): Promise<Recovery | undefined> {
  const query = tx.db
    .selectFrom('webhook_recoveries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId);
  const row = await forUpdate(tx, query).executeTakeFirst();
  return row && { tenantId, webhookId, afterPosition: row.after_position, untilPosition: row.until_position };
}

/** Lists recoveries under way, of all tenants. */
export async function listAny(
  queries: ReadQueries,
  limit: number,
): Promise<Pick<Recovery, 'tenantId' | 'webhookId'>[]> {
  const rows = await queries.db
    .selectFrom('webhook_recoveries')
    .select(['tenant_id', 'webhook_id'])
    .limit(limit)
    .execute();
  return rows.map((row) => ({ tenantId: row.tenant_id as TenantId, webhookId: row.webhook_id }));
}

export async function remove(tx: Queries, tenantId: TenantId, webhookId: string): Promise<void> {
  await tx.db
    .deleteFrom('webhook_recoveries')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .execute();
}

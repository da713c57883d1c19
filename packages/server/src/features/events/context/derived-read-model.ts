import type { DeliveryStatus } from '@tps/contract';
import { sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

/** Finds the incident of an alert. */
export async function findIncidentId(
  queries: ReadQueries,
  tenantId: TenantId,
  alertId: string,
): Promise<string | null> {
  const row = await queries.db
    .selectFrom('alerts')
    .select('incident_id')
    .where('tenant_id', '=', tenantId)
    .where('alert_id', '=', alertId)
    .executeTakeFirst();
  return row?.incident_id ?? null;
}

export async function listWebhookIds(
  queries: ReadQueries,
  tenantId: TenantId,
  limit: number,
): Promise<string[]> {
  const rows = await queries.db
    .selectFrom('webhooks')
    .select('webhook_id')
    .where('tenant_id', '=', tenantId)
    .orderBy('webhook_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.webhook_id);
}

interface DeliveryKey {
  readonly webhookId: string;
  readonly deliveryId: string;
}

/** Lists those of these deliveries that are stored. Each is looked up by its key. */
export async function listDeliveries(
  queries: ReadQueries,
  tenantId: TenantId,
  keys: readonly DeliveryKey[],
): Promise<(DeliveryKey & { readonly status: DeliveryStatus })[]> {
  if (keys.length === 0) return [];
  const pairs = keys.map(({ webhookId, deliveryId }) => sql`(${webhookId}, ${deliveryId})`);
  const rows = await queries.db
    .selectFrom('deliveries')
    .select(['webhook_id', 'delivery_id', 'status'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`(webhook_id, delivery_id) in (values ${sql.join(pairs)})`)
    .execute();
  return rows.map((row) => ({
    webhookId: row.webhook_id,
    deliveryId: row.delivery_id,
    status: row.status as DeliveryStatus,
  }));
}

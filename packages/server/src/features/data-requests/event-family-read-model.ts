import { type Selectable, sql } from 'kysely';
import type { ReadQueries } from '../../database/index.ts';
import type { EventsTable } from '../../database/tables/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

const COLUMNS = [
  'position',
  'event_id',
  'received_at',
  'event_hash',
  'chain_hash',
  'threat_id',
  'alert_id',
  'device_id',
  'body',
] as const;

/** An event to erase, and the ids of its threat and alert. */
export type FamilyEvent = Pick<Selectable<EventsTable>, (typeof COLUMNS)[number]>;

/** Lists the events with these ids and the corrections of each, in the order of the feed. */
export async function listFamilies(
  queries: ReadQueries,
  tenantId: TenantId,
  rootIds: readonly string[],
): Promise<FamilyEvent[]> {
  const { db } = queries;
  const own = await db
    .selectFrom('events')
    .select(COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('event_id', rootIds))
    .execute();
  const corrections = await db
    .selectFrom('events')
    .select(COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf(sql.ref('corrects_event_id'), rootIds))
    .where('corrects_event_id', 'is not', null)
    .execute();
  return [...own, ...corrections].sort((a, b) => a.position - b.position);
}

/** Lists the ids of all webhooks of a tenant. */
export async function listWebhookIds({ db }: ReadQueries, tenantId: TenantId): Promise<string[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select('webhook_id')
    .where('tenant_id', '=', tenantId)
    .execute();
  return rows.map((row) => row.webhook_id);
}

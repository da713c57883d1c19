import { sql } from 'kysely';
import type { ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
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
export type FamilyEvent = Pick<Row<'events'>, (typeof COLUMNS)[number]>;

/** Events to erase in one transaction. */
export interface Families {
  /** In the order of the feed. */
  readonly events: readonly FamilyEvent[];
  /** Whether these are all. */
  readonly areWhole: boolean;
}

/**
 * Lists events and the corrections of each, the whole families that have at most `limit` corrections together. Of a family
 * that alone has more, lists the oldest corrections: these do not count beside the newest.
 */
export async function listFamilies(
  queries: ReadQueries,
  tenantId: TenantId,
  { rootIds, limit }: { rootIds: readonly string[]; limit: number },
): Promise<Families> {
  const corrections = await queries.db
    .selectFrom('events')
    .select([...COLUMNS, 'corrects_event_id'])
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf(sql.ref('corrects_event_id'), rootIds))
    .where('corrects_event_id', 'is not', null)
    .orderBy('corrects_event_id')
    .orderBy('position')
    .limit(limit + 1)
    .execute();
  const cutId = corrections.length > limit ? corrections.at(-1)?.corrects_event_id : undefined;
  const complete = corrections.filter((event) => event.corrects_event_id !== cutId);
  const [first] = corrections;
  if (first && complete.length === 0 && cutId !== undefined)
    return { events: corrections.slice(0, -1), areWhole: false };
  const known = new Set(complete.map((event) => event.corrects_event_id));
  const roots = cutId === undefined ? rootIds : rootIds.filter((id) => known.has(id));
  const own = await queries.db
    .selectFrom('events')
    .select(COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('event_id', roots))
    .execute();
  const events = [...own, ...complete].sort((a, b) => a.position - b.position);
  return { events, areWhole: cutId === undefined };
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

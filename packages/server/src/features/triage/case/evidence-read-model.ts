import type { ReadQueries } from '../../../database/index.ts';
import { firstIdAt } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

const INCIDENT_COLUMNS = [
  'incident_id',
  'category',
  'correlation_key',
  'severity',
  'status',
  'resolution',
  'created_at',
  'last_event_at',
] as const;

export interface ReviewedIncident {
  readonly incidentId: string;
  readonly isFalse: boolean;
}

/** Lists the sightings of these indicators on any device, in order of the key. */
export async function listSightings(
  queries: ReadQueries,
  tenantId: TenantId,
  { keys, fromMs, limit }: { keys: readonly string[]; fromMs: number; limit: number },
) {
  return queries.db
    .selectFrom('sightings')
    .select(['correlation_key', 'device_id', 'threat_category', 'threat_id', 'last_seen_at'])
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('correlation_key', keys))
    .where('last_seen_at', '>=', fromMs)
    .orderBy('correlation_key')
    .orderBy('device_id')
    .orderBy('threat_category')
    .limit(limit)
    .execute();
}

export async function findPolicies(queries: ReadQueries, tenantId: TenantId, policyIds: readonly string[]) {
  return queries.db
    .selectFrom('policies')
    .select([
      'policy_id',
      'name',
      'action',
      'confidence_threshold',
      'enabled',
      'version',
      'updated_at',
      'archived_at',
    ])
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('policy_id', policyIds))
    .execute();
}

/** Lists the newest incidents about these devices or indicators that were opened by a given time. */
export async function listIncidentsAbout(
  queries: ReadQueries,
  tenantId: TenantId,
  { correlationKeys, untilMs, limit }: { correlationKeys: readonly string[]; untilMs: number; limit: number },
) {
  return queries.db
    .selectFrom('incidents')
    .select(INCIDENT_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('correlation_key', correlationKeys))
    .where('created_at', '<=', untilMs)
    .orderBy('incident_id', 'desc')
    .limit(limit)
    .execute();
}

/** Counts the devices of each of these incidents. */
export async function countDevices(
  queries: ReadQueries,
  tenantId: TenantId,
  incidentIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queries.db
    .selectFrom('incident_members')
    .select('incident_id')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('incident_id', incidentIds))
    .where('kind', '=', 'device')
    .groupBy('incident_id')
    .execute();
  return new Map(rows.map((row) => [row.incident_id, Number(row.total)]));
}

/**
 * Lists the newest incidents that people have resolved as genuine or false alarms, among the newest that were opened by
 * a given time.
 */
export async function listReviewedIncidents(
  queries: ReadQueries,
  tenantId: TenantId,
  { untilMs, among, limit }: { untilMs: number; among: number; limit: number },
): Promise<ReviewedIncident[]> {
  const rows = await queries.db
    .selectFrom((from) =>
      from
        .selectFrom('incidents')
        .select(['incident_id', 'resolution'])
        .where('tenant_id', '=', tenantId)
        // Ids sort by time, so the index scan starts at the right place.
        .where('incident_id', '<', firstIdAt('inc', untilMs + 1))
        .orderBy('incident_id', 'desc')
        .limit(among)
        .as('newest'),
    )
    .select(['incident_id', 'resolution'])
    .where('resolution', 'in', ['true_positive', 'false_positive'])
    // The service resolves an incident whose events the device has withdrawn: no person has judged that one.
    .where((newest) =>
      newest.exists(
        newest
          .selectFrom('incident_timeline as entry')
          .select('entry.entry_id')
          .where('entry.tenant_id', '=', tenantId)
          .whereRef('entry.incident_id', '=', 'newest.incident_id')
          .where('entry.actor', '!=', 'service'),
      ),
    )
    .orderBy('incident_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    incidentId: row.incident_id,
    isFalse: row.resolution === 'false_positive',
  }));
}

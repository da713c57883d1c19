import { sql } from 'kysely';
import type { Condition, ReadQueries } from '../../database/index.ts';
import type { AnyOf } from '../../platform/list-filters.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Selects the ids of an incident's alerts, as a subquery. */
export function selectMembers({ db }: ReadQueries, tenantId: TenantId, incidentId: string) {
  return db
    .selectFrom('incident_members')
    .select('member_id')
    .where('tenant_id', '=', tenantId)
    .where('incident_id', '=', incidentId)
    .where('kind', '=', 'alert');
}

/** The condition that a row is an alert of one of these incidents, or none without a filter. */
export function memberOf(
  queries: ReadQueries,
  tenantId: TenantId,
  { column, incidents }: { column: string; incidents: AnyOf | undefined },
): Condition[] {
  if (incidents === undefined) return [];
  const members = sql`select member_id from incident_members
    where tenant_id = ${tenantId} and ${queries.anyOf('incident_id', incidents.values)} and kind = 'alert'`;
  return [sql`${sql.ref(column)} ${sql.raw(incidents.not ? 'not in' : 'in')} (${members})`];
}

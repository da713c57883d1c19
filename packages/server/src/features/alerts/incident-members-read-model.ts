import type { ReadQueries } from '../../database/index.ts';
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

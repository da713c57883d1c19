import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Lists those of these incidents that have no member of these kinds. Reads at most one member of each. */
export async function listWithoutMembers(
  queries: ReadQueries,
  tenantId: TenantId,
  { incidentIds, kinds }: { incidentIds: readonly string[]; kinds: readonly string[] },
): Promise<string[]> {
  if (incidentIds.length === 0) return [];
  const rows = await queries.db
    .selectFrom('incidents as i')
    .select('i.incident_id')
    .where('i.tenant_id', '=', tenantId)
    .where(queries.anyOf('incident_id', incidentIds))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('incident_members as m')
            .select('m.kind')
            .whereRef('m.tenant_id', '=', 'i.tenant_id')
            .whereRef('m.incident_id', '=', 'i.incident_id')
            .where('m.kind', 'in', kinds),
        ),
      ),
    )
    .execute();
  return rows.map((row) => row.incident_id);
}

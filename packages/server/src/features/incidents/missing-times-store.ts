import type { IncidentStatus } from '@tps/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

const UNRESOLVED: readonly IncidentStatus[] = ['open', 'in_progress', 'on_hold'];

/** By a person or by a correction. A message begins with the change of status; what a person wrote comes last. */
const IS_RESOLUTION = sql<SqlBool>`(${sql.join(
  UNRESOLVED.flatMap((status) => [
    sql`t.kind = 'changed' and t.message like ${sql.lit(`Status from ${status} to resolved%`)}`,
    sql`t.kind = 'changed' and t.message like ${sql.lit(`Status from ${status} to closed%`)}`,
    sql`t.kind = 'correction' and t.message like ${sql.lit(`%. Status from ${status} to resolved%`)}`,
  ]),
  sql` or `,
)})`;

const IS_ACKNOWLEDGEMENT = sql<SqlBool>`(t.kind = 'changed' and t.actor <> 'service' and (
  t.message like 'Status from %' or t.message like 'Assigned to %'
  or (t.message like 'Severity from % to %; Assigned to %' and t.message not like '%; Comment: %; Assigned to %')
))`;

/**
 * Sets the times of incidents that a node of an older version changed, which does not set them, from their timelines. Requires
 * the lock on the end of the tenant's feed.
 */
export async function fillMissing(tx: Queries, tenantId: TenantId): Promise<void> {
  const entries = (condition: RawBuilder<SqlBool>) => sql`from incident_timeline t
    where t.tenant_id = incidents.tenant_id and t.incident_id = incidents.incident_id and ${condition}`;
  await sql`update incidents set first_resolved_at = (select min(t.at) ${entries(IS_RESOLUTION)})
    where tenant_id = ${tenantId} and first_resolved_at is null
      and exists (select 1 ${entries(IS_RESOLUTION)})`.execute(tx.db);
  await sql`update incidents set acknowledged_at = (select min(t.at) ${entries(IS_ACKNOWLEDGEMENT)})
    where tenant_id = ${tenantId} and acknowledged_at is null
      and exists (select 1 ${entries(IS_ACKNOWLEDGEMENT)})`.execute(tx.db);
}

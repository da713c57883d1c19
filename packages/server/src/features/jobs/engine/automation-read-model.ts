import { INCIDENT_STATUSES } from '@tps/contract';
import { sql } from 'kysely';
import { forUpdate, type Queries, type ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { HIGH_SEVERITIES } from '../../feed/index.ts';
import { isUnresolved } from '../../incidents/index.ts';

/** A tenant with automatic triage. */
export interface Automation {
  readonly tenantId: TenantId;
  /** How many of its automatic triages may be queued or running at the same time. */
  readonly maxActive: number;
  /** Incidents with an earlier id are not triaged automatically. */
  readonly sinceId: string;
}

const UNRESOLVED = INCIDENT_STATUSES.filter((status) => isUnresolved({ status }));

/** Lists the tenants with automatic triage, except those that are being deleted. */
export async function list(queries: ReadQueries): Promise<Automation[]> {
  const rows = await selectAutomated(queries).orderBy('tenant_id').execute();
  return rows.map(toAutomation);
}

/** Reads a tenant's automation and locks it, so that no other node starts triages of the tenant meanwhile. */
export async function findForUpdate(tx: Queries, tenantId: TenantId): Promise<Automation | undefined> {
  const row = await forUpdate(tx, selectAutomated(tx).where('tenant_id', '=', tenantId)).executeTakeFirst();
  return row && toAutomation(row);
}

export async function countActive(queries: ReadQueries, tenantId: TenantId): Promise<number> {
  const { total } = await queries.db
    .selectFrom('jobs')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .where('subject_id', 'is not', null)
    // Only queued and running jobs have a due time; an index covers them.
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/**
 * Lists the unresolved incidents of severity high or critical without an automatic triage, oldest first. An incident
 * whose severity was raised later is included.
 */
export async function listUntriaged(
  queries: ReadQueries,
  { tenantId, sinceId }: Automation,
  limit: number,
): Promise<string[]> {
  const rows = await queries.db
    .selectFrom('incidents as i')
    .select('i.incident_id')
    .where('i.tenant_id', '=', tenantId)
    .where('i.incident_id', '>=', sinceId)
    .where('i.severity', 'in', HIGH_SEVERITIES)
    // As literals: with parameters, neither engine uses the partial index of unresolved incidents.
    .where(
      'i.status',
      'in',
      UNRESOLVED.map((status) => sql.lit(status)),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs as j')
            .select('j.job_id')
            .whereRef('j.tenant_id', '=', 'i.tenant_id')
            .whereRef('j.subject_id', '=', 'i.incident_id'),
        ),
      ),
    )
    .orderBy('i.incident_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.incident_id);
}

function selectAutomated(queries: ReadQueries) {
  return queries.db
    .selectFrom('tenants')
    .select(['tenant_id', 'triage_at_once', 'triage_since'])
    .where('triage_at_once', 'is not', null)
    .where('delete_after', 'is', null);
}

function toAutomation(row: {
  tenant_id: string;
  triage_at_once: number | null;
  triage_since: string | null;
}): Automation {
  return {
    tenantId: row.tenant_id as TenantId,
    maxActive: row.triage_at_once ?? 0,
    sinceId: row.triage_since ?? '',
  };
}

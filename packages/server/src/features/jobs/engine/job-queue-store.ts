import { sql } from 'kysely';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

/** What to look for: only workflows that this process knows, so that a newer one's jobs wait for it. */
export interface DueSearch {
  readonly workflowIds: readonly string[];
  readonly nowMs: number;
}

/**
 * Lists the tenants that have a job due, with one look into the index for each tenant. A tenant that is being deleted
 * rests.
 */
export async function listDueTenants(
  queries: ReadQueries,
  { workflowIds, nowMs }: DueSearch,
): Promise<TenantId[]> {
  const query = sql<{ tenant_id: string }>`
    select t.tenant_id from tenants t
    where t.delete_after is null
      and (select j.due_at from jobs j
           where j.tenant_id = t.tenant_id and j.due_at is not null
             and ${queries.anyOf(sql.ref('j.workflow_id'), workflowIds)}
           order by j.due_at limit 1) <= ${nowMs}
    order by t.tenant_id`;
  const { rows } = await query.execute(queries.db as never);
  return rows.map((row) => row.tenant_id as TenantId);
}

/** Finds the tenant's job that has been due the longest and locks it, past those that another process has locked. */
export async function findDueForUpdate(
  tx: Queries,
  tenantId: TenantId,
  { workflowIds, nowMs }: DueSearch,
): Promise<string | undefined> {
  const query = tx.db
    .selectFrom('jobs')
    .select('job_id')
    .where('tenant_id', '=', tenantId)
    .where('due_at', '<=', nowMs)
    .where(tx.anyOf('jobs.workflow_id', workflowIds))
    .orderBy('due_at')
    .limit(1);
  const row = await (tx.engine === 'postgres' ? query.forUpdate().skipLocked() : query).executeTakeFirst();
  return row?.job_id;
}

/** Ends the leases of a process that is no more. Only for a store that belongs to one process. */
export async function endAllLeases(tx: Queries, nowMs: number): Promise<void> {
  await tx.db
    .updateTable('jobs')
    .set({ leased_by: null, due_at: nowMs })
    .where('due_at', 'is not', null)
    .where('leased_by', 'is not', null)
    .execute();
}

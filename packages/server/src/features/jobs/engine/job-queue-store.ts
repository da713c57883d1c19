import { sql } from 'kysely';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { ClaimedJob } from './claimed-job.ts';

/** Only workflows that this process supports: jobs of a newer version wait for a newer process. */
export interface DueSearch {
  readonly workflowIds: readonly string[];
  readonly nowMs: number;
}

/** The most that are counted: the figure is for people and alerts, and must stay cheap. */
const MAX_COUNTED = 10_000;

/** Counts the jobs of all tenants that have a step to run. */
export async function countPending(queries: ReadQueries): Promise<{ waiting: number; running: number }> {
  const query = sql<{ total: number; running: number | null }>`
    select count(*) as total, sum(is_leased) as running
    from (select case when leased_by is null then 0 else 1 end as is_leased
          from jobs where due_at is not null limit ${sql.lit(MAX_COUNTED)}) as pending`;
  const { rows } = await query.execute(queries.db as never);
  const running = Number(rows[0]?.running ?? 0);
  return { waiting: Number(rows[0]?.total ?? 0) - running, running };
}

/** Finds the tenant's job that has been due the longest and locks it. Skips jobs that another process has locked. */
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

/** Moves the end of claims that still hold their jobs. A claim that another node has taken over stays lost. */
export async function renewLeases(
  tx: Queries,
  claims: readonly ClaimedJob[],
  endsAtMs: number,
): Promise<void> {
  for (const { tenantId, jobId, nodeId, claims: claim } of claims) {
    await tx.db
      .updateTable('jobs')
      .set({ due_at: endsAtMs })
      .where('tenant_id', '=', tenantId)
      .where('job_id', '=', jobId)
      .where('leased_by', '=', nodeId)
      .where('claims', '=', claim)
      .where('due_at', 'is not', null)
      .execute();
  }
}

/** Ends the leases that an earlier process has left. Only for a store that belongs to one process. */
export async function endAllLeases(tx: Queries, nowMs: number): Promise<void> {
  await tx.db
    .updateTable('jobs')
    .set({ leased_by: null, due_at: nowMs })
    .where('due_at', 'is not', null)
    .where('leased_by', 'is not', null)
    .execute();
}

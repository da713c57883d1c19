import { sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { DueSearch } from './job-queue-store.ts';

/**
 * Lists the tenants with a due job, with one index lookup for each tenant. Tenants that are being deleted are left out.
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

/**
 * Finds the time at which the oldest of all due jobs became due, with one index lookup for each tenant. A job that is running
 * becomes due when its lease ends.
 */
export async function findOldestDueAt(queries: ReadQueries): Promise<number | undefined> {
  const query = sql<{ oldest: number | null }>`
    select min(next.due_at) as oldest
    from (select (select j.due_at from jobs j
                  where j.tenant_id = t.tenant_id and j.due_at is not null
                  order by j.due_at limit 1) as due_at
          from tenants t where t.delete_after is null) as next`;
  const { rows } = await query.execute(queries.db as never);
  return rows[0]?.oldest ?? undefined;
}

import type { CountInterval, Counts, JobStatus, StepType } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import { sql } from 'kysely';
import {
  type Condition,
  countByTime,
  type FilteredRows,
  forUpdate,
  idsWithin,
  matches,
  matchesItems,
  type Queries,
  type ReadQueries,
  readFiltered,
} from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import { type AnyOf, EVER, type TimeRange } from '../../platform/list-filters.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { JobRecord, StoredApproval } from './job.ts';

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  jobId: string,
): Promise<JobRecord | undefined> {
  const row = await byId(queries, tenantId, jobId).executeTakeFirst();
  return row && toRecord(row);
}

/** Finds a job and locks it against other changes until the transaction ends. */
export async function findForUpdate(
  tx: Queries,
  tenantId: TenantId,
  jobId: string,
): Promise<JobRecord | undefined> {
  const row = await forUpdate(tx, byId(tx, tenantId, jobId)).executeTakeFirst();
  return row && toRecord(row);
}

export interface JobFilter {
  readonly status?: AnyOf<JobStatus> | undefined;
  readonly inputRef?: AnyOf | undefined;
  readonly created?: TimeRange | undefined;
}

/** Newest first. */
export function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, page }: { filter: JobFilter; page: PageRequest },
): Promise<JobRecord[]> {
  return readFiltered(queries, filteredRows(queries, tenantId, filter), {
    page,
    read: async (where, limit) => {
      const query = queries.db.selectFrom('jobs').selectAll().where(where);
      return (await query.orderBy('job_id', 'desc').limit(limit).execute()).map(toRecord);
    },
  });
}

export function countOverTime(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, interval }: { filter: JobFilter; interval: CountInterval | undefined },
): Promise<Counts> {
  const rows = { ...filteredRows(queries, tenantId, filter), time: sql<number>`created_at` };
  return countByTime(queries, rows, { range: filter.created ?? EVER, interval });
}

function filteredRows(queries: ReadQueries, tenantId: TenantId, filter: JobFilter): FilteredRows {
  return {
    from: sql.table('jobs'),
    scope: [
      sql`tenant_id = ${tenantId}`,
      ...idsWithin('job_id', ID_PREFIXES.job, filter.created ?? EVER),
      ...withInput(queries, tenantId, filter.inputRef),
    ],
    key: [sql.ref('job_id')],
    conditions: [
      ...matches(queries, 'status', filter.status),
      ...matchesItems(queries, 'input_refs', filter.inputRef),
    ],
  };
}

/** The jobs that had one of these inputs in any run, by an index. The filter itself then compares those of the last run. */
function withInput(queries: ReadQueries, tenantId: TenantId, inputRef: AnyOf | undefined): Condition[] {
  if (inputRef === undefined || inputRef.not) return [];
  const isOne = queries.anyOf(sql.ref('inputs.input_ref'), inputRef.values);
  return [
    sql`job_id in (select inputs.job_id from job_inputs as inputs where inputs.tenant_id = ${tenantId} and ${isOne})`,
  ];
}

export async function create(tx: Queries, tenantId: TenantId, job: JobRecord): Promise<void> {
  await tx.insertMany('jobs', [toRow(tenantId, job)]);
}

/** Notes what a run has as inputs, so that the job is found by each of them; those of earlier runs stay. */
export async function addInputs(
  tx: Queries,
  tenantId: TenantId,
  { jobId, inputRefs }: { jobId: string; inputRefs: readonly string[] },
): Promise<void> {
  await tx.insertIgnoringConflicts(
    'job_inputs',
    ['tenant_id', 'job_id', 'input_ref'],
    inputRefs.map((inputRef) => ({ tenant_id: tenantId, job_id: jobId, input_ref: inputRef })),
  );
}

/** Writes every column of a job that the caller has locked. */
export async function save(tx: Queries, tenantId: TenantId, job: JobRecord): Promise<void> {
  await tx.updateMany('jobs', ['tenant_id', 'job_id'], [toRow(tenantId, job)]);
}

function byId(queries: ReadQueries, tenantId: TenantId, jobId: string) {
  return queries.db
    .selectFrom('jobs')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('job_id', '=', jobId);
}

function toRow(tenantId: TenantId, job: JobRecord): Row<'jobs'> {
  return {
    tenant_id: tenantId,
    job_id: job.jobId,
    workflow_id: job.workflowId,
    status: job.status,
    trace_id: job.traceId,
    input_refs: JSON.stringify(job.inputRefs),
    artifact_refs: JSON.stringify(job.artifactRefs),
    max_runs: job.maxRuns,
    run_count: job.runCount,
    next_step: job.nextStep,
    review: job.approval === null ? null : JSON.stringify(job.approval),
    reviewed_by: job.reviewedBy,
    error_code: job.errorCode,
    subject_id: job.subjectId,
    created_at: job.createdAtMs,
    created_by: job.createdBy,
    updated_at: job.updatedAtMs,
    version: job.version,
    due_at: job.dueAtMs,
    leased_by: job.leasedBy,
    claims: job.claims,
    fruitless_claims: job.fruitlessClaims,
  };
}

function toRecord(row: Row<'jobs'>): JobRecord {
  return {
    jobId: row.job_id,
    workflowId: row.workflow_id,
    status: row.status as JobStatus,
    traceId: row.trace_id,
    inputRefs: JSON.parse(row.input_refs) as string[],
    artifactRefs: JSON.parse(row.artifact_refs) as string[],
    maxRuns: row.max_runs,
    runCount: row.run_count,
    nextStep: row.next_step as StepType | null,
    approval: row.review === null ? null : (JSON.parse(row.review) as StoredApproval),
    reviewedBy: row.reviewed_by,
    errorCode: row.error_code,
    subjectId: row.subject_id,
    createdAtMs: row.created_at,
    createdBy: row.created_by,
    updatedAtMs: row.updated_at,
    version: row.version,
    dueAtMs: row.due_at,
    leasedBy: row.leased_by,
    claims: row.claims,
    fruitlessClaims: row.fruitless_claims,
  };
}

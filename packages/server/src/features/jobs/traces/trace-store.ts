import type { GuardrailResult, JobStatus, StepStatus, StepType } from '@tps/contract';
import { sql } from 'kysely';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { PageRequest } from '../../../platform/http/page.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { StepRecord, TraceRecord } from './trace.ts';

/** Which steps to list: those of a job's runs, or of one run. */
export type StepsOf = { readonly jobId: string } | { readonly traceId: string };

/** All columns except `output`, which can be large and is only for later steps. */
const STEP_COLUMNS = [
  'step_id',
  'trace_id',
  'job_id',
  'run',
  'step_type',
  'status',
  'error_code',
  'guardrail_result',
  'started_at',
  'finished_at',
] as const;

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  traceId: string,
): Promise<(TraceRecord & { workflowId: string }) | undefined> {
  const row = await queries.db
    .selectFrom('traces as t')
    .innerJoin('jobs as j', (join) =>
      join.onRef('j.tenant_id', '=', 't.tenant_id').onRef('j.job_id', '=', 't.job_id'),
    )
    .select(['t.trace_id', 't.job_id', 't.run', 't.input_refs', 't.final_status', 't.created_at'])
    .select('j.workflow_id')
    .where('t.tenant_id', '=', tenantId)
    .where('t.trace_id', '=', traceId)
    .executeTakeFirst();
  return (
    row && {
      traceId: row.trace_id,
      jobId: row.job_id,
      workflowId: row.workflow_id,
      run: row.run,
      inputRefs: JSON.parse(row.input_refs) as string[],
      finalStatus: row.final_status as TraceRecord['finalStatus'],
      createdAtMs: row.created_at,
    }
  );
}

/** Stores a new run with all its steps. */
export async function create(
  tx: Queries,
  tenantId: TenantId,
  trace: TraceRecord,
  steps: readonly StepRecord[],
): Promise<void> {
  await tx.insertMany('traces', [
    {
      tenant_id: tenantId,
      trace_id: trace.traceId,
      job_id: trace.jobId,
      run: trace.run,
      input_refs: JSON.stringify(trace.inputRefs),
      final_status: trace.finalStatus,
      created_at: trace.createdAtMs,
    },
  ]);
  await tx.insertMany(
    'trace_steps',
    steps.map((step) => ({
      tenant_id: tenantId,
      trace_id: step.traceId,
      step_id: step.stepId,
      job_id: step.jobId,
      run: step.run,
      step_type: step.type,
      status: step.status,
      error_code: step.errorCode,
      guardrail_result: step.guardrail,
      started_at: step.startedAtMs,
      finished_at: step.finishedAtMs,
      output: null,
    })),
  );
}

/** Sets the final status of all runs when the job ends: the last run ends like the job, earlier ones as amended. */
export async function endTraces(
  tx: Queries,
  tenantId: TenantId,
  { jobId, traceId, status }: { jobId: string; traceId: string; status: JobStatus },
): Promise<void> {
  await tx.db
    .updateTable('traces')
    .set({ final_status: sql`case when trace_id = ${traceId} then ${status} else 'amended' end` })
    .where('tenant_id', '=', tenantId)
    .where('job_id', '=', jobId)
    .execute();
}

/** Last step first. */
export async function listSteps(
  queries: ReadQueries,
  tenantId: TenantId,
  { of, page }: { of: StepsOf; page: PageRequest },
): Promise<StepRecord[]> {
  let query = queries.db
    .selectFrom('trace_steps')
    .select(STEP_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .orderBy('step_id', 'desc')
    .limit(page.limit);
  query = 'jobId' in of ? query.where('job_id', '=', of.jobId) : query.where('trace_id', '=', of.traceId);
  if (page.after !== undefined) query = query.where('step_id', '<', String(page.after[0]));
  return (await query.execute()).map(toStep);
}

export async function findStep(
  queries: ReadQueries,
  tenantId: TenantId,
  { traceId, type }: { traceId: string; type: StepType },
): Promise<StepRecord | undefined> {
  const row = await queries.db
    .selectFrom('trace_steps')
    .select(STEP_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where('trace_id', '=', traceId)
    .where('step_type', '=', type)
    .executeTakeFirst();
  return row && toStep(row);
}

/** Reads the outputs of the steps of a run so far. */
export async function readOutputs(
  queries: ReadQueries,
  tenantId: TenantId,
  traceId: string,
): Promise<Partial<Record<StepType, unknown>>> {
  const rows = await queries.db
    .selectFrom('trace_steps')
    .select(['step_type', 'output'])
    .where('tenant_id', '=', tenantId)
    .where('trace_id', '=', traceId)
    .where('output', 'is not', null)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.step_type, JSON.parse(row.output ?? 'null') as unknown]));
}

/** A change to a step. Fields that are left out keep their value. */
export interface StepChange {
  readonly status: StepStatus;
  readonly errorCode?: string;
  readonly guardrail?: GuardrailResult;
  readonly startedAtMs?: number;
  readonly finishedAtMs?: number;
  /** JSON. */
  readonly output?: string;
}

export async function changeStep(
  tx: Queries,
  tenantId: TenantId,
  { traceId, type }: { traceId: string; type: StepType },
  change: StepChange,
): Promise<void> {
  await tx.db
    .updateTable('trace_steps')
    .set({
      status: change.status,
      ...(change.errorCode === undefined ? {} : { error_code: change.errorCode }),
      ...(change.guardrail === undefined ? {} : { guardrail_result: change.guardrail }),
      ...(change.startedAtMs === undefined ? {} : { started_at: change.startedAtMs }),
      ...(change.finishedAtMs === undefined ? {} : { finished_at: change.finishedAtMs }),
      ...(change.output === undefined ? {} : { output: change.output }),
    })
    .where('tenant_id', '=', tenantId)
    .where('trace_id', '=', traceId)
    .where('step_type', '=', type)
    .execute();
}

/** Ends the unfinished steps of a run. Steps that never started get no end time. */
export async function endSteps(
  tx: Queries,
  tenantId: TenantId,
  { traceId, status, nowMs }: { traceId: string; status: 'skipped' | 'cancelled'; nowMs: number },
): Promise<void> {
  await tx.db
    .updateTable('trace_steps')
    .set({ status, finished_at: sql`case when started_at is null then null else ${sql.lit(nowMs)} end` })
    .where('tenant_id', '=', tenantId)
    .where('trace_id', '=', traceId)
    .where('status', 'in', ['pending', 'running'])
    .execute();
}

function toStep(row: Pick<Row<'trace_steps'>, (typeof STEP_COLUMNS)[number]>): StepRecord {
  return {
    stepId: row.step_id,
    traceId: row.trace_id,
    jobId: row.job_id,
    run: row.run,
    type: row.step_type as StepType,
    status: row.status as StepStatus,
    errorCode: row.error_code,
    guardrail: row.guardrail_result as GuardrailResult,
    startedAtMs: row.started_at,
    finishedAtMs: row.finished_at,
  };
}

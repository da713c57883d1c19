import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Queries } from '../../database/index.ts';
import { createId, timeOfId } from '../../platform/identifiers.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { type AuditActor, auditStore } from '../audit/index.ts';
import type { JobRecord } from './job.ts';
import * as jobStore from './job-store.ts';
import * as referenceReadModel from './reference-read-model.ts';
import { type JobWorkflow, pendingSteps, planOf } from './run-plan.ts';
import type { TraceRecord } from './traces/trace.ts';
import * as traceStore from './traces/trace-store.ts';

export interface JobOrder {
  readonly workflow: JobWorkflow;
  readonly inputRefs: readonly string[];
  readonly maxRuns: number;
  /** The incident that started the job automatically; null for a job that was requested. */
  readonly subjectId: string | null;
  readonly actor: AuditActor;
  readonly requestId: string | null;
  readonly nowMs: number;
}

/**
 * Queues a job with its first run and its audit entry, inside the caller's transaction. The caller wakes the worker
 * after the commit.
 * @throws ServiceError `not_found` for an input that the tenant does not have
 */
export async function createJobIn(tx: Queries, tenantId: TenantId, order: JobOrder): Promise<JobRecord> {
  const { workflow, inputRefs, maxRuns, subjectId, actor, nowMs } = order;
  await requireInputs(tx, tenantId, inputRefs);
  const jobId = createId(ID_PREFIXES.job, nowMs);
  const start = await startRun(tx, tenantId, { jobId, run: 1, inputRefs, workflow, nowMs });
  const job: JobRecord = {
    jobId,
    workflowId: workflow.id,
    status: 'queued',
    artifactRefs: [],
    maxRuns,
    subjectId,
    ...start,
    approval: null,
    reviewedBy: null,
    errorCode: null,
    createdAtMs: nowMs,
    createdBy: actor.id,
    updatedAtMs: nowMs,
    version: 1,
    leasedBy: null,
    claims: 0,
  };
  await jobStore.create(tx, tenantId, job);
  await auditStore.append(
    tx,
    {
      tenantId,
      actor,
      action: 'job.create',
      resource: { type: 'job', id: jobId },
      outcome: 'success',
      requestId: order.requestId,
      detail: `Job of ${workflow.id} created for ${inputRefs.join(', ')}`,
      fields: {
        workflow_id: workflow.id,
        input_refs: inputRefs,
        max_runs: maxRuns,
        trace_id: job.traceId,
      },
    },
    nowMs,
  );
  return job;
}

/** The part of a job that a new run replaces. */
type RunStart = Pick<
  JobRecord,
  'traceId' | 'runCount' | 'inputRefs' | 'nextStep' | 'dueAtMs' | 'fruitlessClaims'
>;

/** Stores a run with all its steps as pending. The run is due immediately. */
export async function startRun(
  tx: Queries,
  tenantId: TenantId,
  start: {
    jobId: string;
    run: number;
    inputRefs: readonly string[];
    workflow: JobWorkflow;
    nowMs: number;
    /** The run that this one follows. */
    previousTraceId?: string;
  },
): Promise<RunStart> {
  const { jobId, run, inputRefs, workflow, nowMs, previousTraceId } = start;
  // If the clock was set back, the new run must still sort after the previous one.
  const startMs = Math.max(nowMs, previousTraceId === undefined ? 0 : timeOfId(previousTraceId));
  const trace: TraceRecord = {
    traceId: createId(ID_PREFIXES.trace, startMs),
    jobId,
    run,
    inputRefs,
    finalStatus: null,
    createdAtMs: startMs,
  };
  const plan = planOf(workflow);
  await jobStore.addInputs(tx, tenantId, { jobId, inputRefs });
  await traceStore.create(tx, tenantId, trace, pendingSteps(trace, plan));
  return {
    traceId: trace.traceId,
    runCount: run,
    inputRefs,
    nextStep: plan[0] ?? null,
    dueAtMs: nowMs,
    fruitlessClaims: 0,
  };
}

/** @throws ServiceError `not_found` that names the first missing input; another tenant's inputs count as missing */
export async function requireInputs(
  tx: Queries,
  tenantId: TenantId,
  inputRefs: readonly string[],
): Promise<void> {
  const missing = await referenceReadModel.findMissing(tx, tenantId, inputRefs);
  if (missing) throw new ServiceError('not_found', `input_refs[${missing.index}]: no such ${missing.noun}.`);
}

import type { StepType } from '@tps/contract';
import type { Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { endJob } from '../end-job.ts';
import { applyMove, type JobRecord } from '../job.ts';
import * as jobStore from '../job-store.ts';
import * as traceStore from '../traces/trace-store.ts';
import type { ClaimedJob } from './claimed-job.ts';
import * as jobQueueStore from './job-queue-store.ts';

/**
 * How often a job may be claimed without finishing a step. After that, the job itself is assumed to crash the process
 * and is failed, so that it does not hold up the other jobs for ever.
 */
const MAX_FRUITLESS_CLAIMS = 5;

export interface Lease extends jobQueueStore.DueSearch {
  readonly nodeId: string;
  readonly endsAtMs: number;
}

/** Claims the tenant's job that has been due the longest. Fails jobs that were claimed too often without progress. */
export async function claimJob(
  tx: Queries,
  tenantId: TenantId,
  lease: Lease,
): Promise<ClaimedJob | undefined> {
  for (;;) {
    const jobId = await jobQueueStore.findDueForUpdate(tx, tenantId, lease);
    const job = jobId && (await jobStore.find(tx, tenantId, jobId));
    if (!job || job.nextStep === null) return undefined;
    if (job.fruitlessClaims < MAX_FRUITLESS_CLAIMS) return claim(tx, tenantId, { job, lease });
    await failStep(tx, tenantId, job, {
      type: job.nextStep,
      errorCode: 'step_abandoned',
      nowMs: lease.nowMs,
    });
  }
}

async function claim(
  tx: Queries,
  tenantId: TenantId,
  { job, lease: { nodeId, nowMs, endsAtMs } }: { job: JobRecord; lease: Lease },
): Promise<ClaimedJob> {
  const { jobId, traceId, nextStep } = job;
  const claims = job.claims + 1;
  const held = {
    claims,
    fruitlessClaims: job.fruitlessClaims + 1,
    leasedBy: nodeId,
    dueAtMs: endsAtMs,
  };
  // A takeover of a running job does not change the job for API readers, so its version stays.
  const claimed = job.status === 'queued' ? applyMove(job, 'claim', { ...held, nowMs }) : { ...job, ...held };
  await jobStore.save(tx, tenantId, claimed);
  if (nextStep !== null) {
    const running = { status: 'running', startedAtMs: nowMs } as const;
    await traceStore.changeStep(tx, tenantId, { traceId, type: nextStep }, running);
  }
  return { tenantId, jobId, nodeId, claims };
}

/** Whether the claim still holds the job. */
export function isClaimedBy(job: JobRecord, { nodeId, claims }: ClaimedJob): boolean {
  return job.status === 'running' && job.claims === claims && job.leasedBy === nodeId;
}

/** Locks a job to record a step; undefined if the job has meanwhile advanced, ended or been claimed by another node. */
export async function lockClaimed(
  tx: Queries,
  claimed: ClaimedJob,
  type: StepType,
): Promise<JobRecord | undefined> {
  const job = await jobStore.findForUpdate(tx, claimed.tenantId, claimed.jobId);
  return job && isClaimedBy(job, claimed) && job.nextStep === type ? job : undefined;
}

/** Releases a job between two steps: it is due again immediately, and the claim does not count as fruitless. */
export async function releaseJob(tx: Queries, claimed: ClaimedJob, nowMs: number): Promise<void> {
  const job = await jobStore.findForUpdate(tx, claimed.tenantId, claimed.jobId);
  if (!job || !isClaimedBy(job, claimed)) return;
  await jobStore.save(tx, claimed.tenantId, {
    ...job,
    leasedBy: null,
    dueAtMs: nowMs,
    fruitlessClaims: Math.max(0, job.fruitlessClaims - 1),
  });
}

/** Fails a step and with it the job, which the caller has locked. */
export async function failStep(
  tx: Queries,
  tenantId: TenantId,
  job: JobRecord,
  { type, errorCode, nowMs }: { type: StepType; errorCode: string; nowMs: number },
): Promise<void> {
  const { traceId } = job;
  const failed = { status: 'failed', errorCode, finishedAtMs: nowMs } as const;
  await traceStore.changeStep(tx, tenantId, { traceId, type }, failed);
  await endJob(tx, tenantId, job, { move: 'fail', errorCode, nowMs });
}

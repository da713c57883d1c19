import type { Job, JobStatus, StepType } from '@tps/contract';
import type { IssuedTo } from '../../platform/http/route.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';

export interface JobRecord {
  readonly jobId: string;
  readonly workflowId: string;
  readonly status: JobStatus;
  /** Trace of the current run. */
  readonly traceId: string;
  readonly inputRefs: readonly string[];
  /** Oldest first. */
  readonly artifactRefs: readonly string[];
  readonly maxRuns: number;
  readonly runCount: number;
  /** Null while the job waits for a review and after it has ended. */
  readonly nextStep: StepType | null;
  /** The approval that `apply_decision` applies. */
  readonly approval: StoredApproval | null;
  readonly reviewedBy: string | null;
  readonly errorCode: string | null;
  /** The incident that started the job automatically. */
  readonly subjectId: string | null;
  readonly createdAtMs: number;
  readonly createdBy: string;
  readonly updatedAtMs: number;
  readonly version: number;
  /** When it may be claimed or, while it is claimed, the end of the lease. Null when there is nothing to do. */
  readonly dueAtMs: number | null;
  readonly leasedBy: string | null;
  /** How often it was claimed: distinguishes leases. */
  readonly claims: number;
  /** Claims since a step was last finished. */
  readonly fruitlessClaims: number;
}

/** An approval, kept until it is applied. */
export interface StoredApproval {
  readonly tokenId: string;
  readonly issued?: IssuedTo | undefined;
  readonly requestId: string;
  readonly comment: string | null;
}

/** A change of a job's status. */
export type JobMove =
  | 'claim'
  | 'advance'
  | 'wait'
  | 'complete'
  | 'fail'
  | 'cancel'
  | 'approve'
  | 'amend'
  | 'reject';

/** Every legal move; all others are rejected. */
const MOVES: Readonly<Record<JobStatus, Partial<Record<JobMove, JobStatus>>>> = {
  queued: { claim: 'running', cancel: 'cancelled' },
  running: {
    advance: 'running',
    wait: 'waiting_review',
    complete: 'completed',
    fail: 'failed',
    cancel: 'cancelled',
  },
  waiting_review: { approve: 'running', amend: 'queued', reject: 'rejected', cancel: 'cancelled' },
  completed: {},
  rejected: {},
  cancelled: {},
  failed: {},
};

/** Returns the status after a move; undefined if the move is not legal. */
export function statusAfter(status: JobStatus, move: JobMove): JobStatus | undefined {
  return MOVES[status][move];
}

/** Returns the job after a move. @throws Error if the move is not legal, which the caller has to check first */
export function applyMove(
  job: JobRecord,
  move: JobMove,
  { nowMs, ...changes }: Partial<JobRecord> & { nowMs: number },
): JobRecord {
  const status = statusAfter(job.status, move);
  if (status === undefined) throw new Error(`A job that is ${job.status} cannot ${move}`);
  return { ...job, ...changes, status, version: job.version + 1, updatedAtMs: nowMs };
}

/** The queue fields of every job that has nothing to do. */
export const IDLE = { nextStep: null, dueAtMs: null, leasedBy: null } as const;

export function toJob(tenantId: TenantId, job: JobRecord): Job {
  return {
    job_id: job.jobId,
    tenant_id: tenantId,
    status: job.status,
    workflow_id: job.workflowId,
    trace_id: job.traceId,
    artifact_refs: [...job.artifactRefs],
    updated_at: toTimestamp(job.updatedAtMs),
    reviewed_by: job.reviewedBy,
    created_at: toTimestamp(job.createdAtMs),
    created_by: job.createdBy,
    input_refs: [...job.inputRefs],
    max_runs: job.maxRuns,
    run_count: job.runCount,
    error_code: job.errorCode,
    version: job.version,
  };
}

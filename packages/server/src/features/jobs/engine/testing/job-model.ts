import { type JobStatus, STEP_TYPES, type StepStatus, type StepType } from '@tps/contract';

/** The expected state of a job. */
export interface ModelJob {
  readonly jobId: string;
  readonly incidentId: string;
  status: JobStatus;
  maxRuns: number;
  /** Position of the next step. */
  next: number | null;
  dueAtMs: number | null;
  fruitless: number;
  errorCode: string | null;
  artifacts: number;
  reviewed: boolean;
  /** Statuses of the steps of each run. */
  readonly runs: StepStatus[][];
  /** How often each step took effect. */
  readonly effects: Partial<Record<StepType, number>>;
  /** Actions of the audit trail, oldest first. */
  readonly audit: string[];
}

export const LEASE_MS = 60_000;
const FINAL_STATUSES: readonly JobStatus[] = ['completed', 'rejected', 'cancelled', 'failed'];

export function hasEnded({ status }: ModelJob): boolean {
  return FINAL_STATUSES.includes(status);
}

export function createModel(
  ids: { jobId: string; incidentId: string },
  maxRuns: number,
  nowMs: number,
): ModelJob {
  const job: ModelJob = {
    ...ids,
    status: 'queued',
    maxRuns,
    next: 0,
    dueAtMs: nowMs,
    fruitless: 0,
    errorCode: null,
    artifacts: 0,
    reviewed: false,
    runs: [],
    effects: {},
    audit: ['job.create'],
  };
  beginRun(job, nowMs);
  return job;
}

function beginRun(job: ModelJob, nowMs: number): void {
  job.runs.push(STEP_TYPES.map(() => 'pending'));
  Object.assign(job, { status: 'queued', next: 0, dueAtMs: nowMs, fruitless: 0 });
}

/** Claims the job that has been due the longest. Fails jobs that were claimed too often without progress. */
export function claim(jobs: readonly ModelJob[], nowMs: number): ModelJob | undefined {
  const due = jobs
    .filter(({ dueAtMs }) => dueAtMs !== null && dueAtMs <= nowMs)
    .sort((a, b) => (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0));
  for (const job of due) {
    if (job.fruitless >= 5) {
      fail(job, 'step_abandoned');
      continue;
    }
    setStep(job, job.next, 'running');
    Object.assign(job, { status: 'running', fruitless: job.fruitless + 1, dueAtMs: nowMs + LEASE_MS });
    return job;
  }
  return undefined;
}

/** Finishes the step of the claimed job and releases the job. */
export function finishStep(job: ModelJob, nowMs: number): void {
  const done = job.next ?? 0;
  const type = STEP_TYPES[done] as StepType;
  setStep(job, done, 'succeeded');
  job.effects[type] = (job.effects[type] ?? 0) + 1;
  if (type === 'publish_artifacts') job.artifacts += 2;
  Object.assign(job, { fruitless: 0, next: done + 1, dueAtMs: nowMs });
  if (done + 1 === STEP_TYPES.length) {
    end(job, 'completed');
    return;
  }
  setStep(job, done + 1, 'running');
  if (STEP_TYPES[done + 1] === 'review_gate') {
    Object.assign(job, { status: 'waiting_review', next: null, dueAtMs: null });
  }
}

export function fail(job: ModelJob, errorCode: string): void {
  setStep(job, job.next, 'failed');
  end(job, 'failed');
  job.errorCode = errorCode;
}

/** Returns the error code, or undefined on success. */
export function cancel(job: ModelJob): string | undefined {
  if (hasEnded(job)) return 'invalid_job_state';
  end(job, 'cancelled');
  job.audit.push('job.cancel');
  return undefined;
}

export type ModelReview =
  | { decision: 'approve' | 'reject' | 'cancel' }
  | { decision: 'amend'; amendment: { max_runs?: number } };

/** Returns the error code, or undefined on success. */
export function review(job: ModelJob, wanted: ModelReview, nowMs: number): string | undefined {
  if (job.status !== 'waiting_review') return 'invalid_review_state';
  const maxRuns = wanted.decision === 'amend' ? (wanted.amendment.max_runs ?? job.maxRuns) : job.maxRuns;
  if (wanted.decision === 'amend' && job.runs.length + 1 > maxRuns) return 'max_runs_exceeded';
  setStep(job, STEP_TYPES.indexOf('review_gate'), 'succeeded');
  setStep(job, STEP_TYPES.indexOf('review_decision'), 'succeeded');
  Object.assign(job, { reviewed: true, maxRuns });
  job.audit.push(`job.review.${wanted.decision}`);
  if (wanted.decision === 'approve') {
    const next = STEP_TYPES.indexOf('apply_decision');
    Object.assign(job, { status: 'running', next, dueAtMs: nowMs, fruitless: 0 });
  } else if (wanted.decision === 'amend') {
    endSteps(job, 'skipped');
    beginRun(job, nowMs);
  } else end(job, wanted.decision === 'reject' ? 'rejected' : 'cancelled');
  return undefined;
}

function end(job: ModelJob, status: JobStatus): void {
  endSteps(job, status === 'cancelled' ? 'cancelled' : 'skipped');
  Object.assign(job, { status, next: null, dueAtMs: null });
}

function endSteps(job: ModelJob, status: StepStatus): void {
  const steps = job.runs.at(-1) ?? [];
  for (const [position, was] of steps.entries()) {
    if (was === 'pending' || was === 'running') steps[position] = status;
  }
}

function setStep(job: ModelJob, position: number | null, status: StepStatus): void {
  const steps = job.runs.at(-1);
  if (steps && position !== null) steps[position] = status;
}

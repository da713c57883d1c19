import type { Review } from '@tps/contract';
import type { Queries } from '../../database/index.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { type ActingRequest, actorOf, auditStore } from '../audit/index.ts';
import { requireInputs, startRun } from './create-job.ts';
import { endJob } from './end-job.ts';
import { applyMove, type JobRecord } from './job.ts';
import * as jobStore from './job-store.ts';
import { AFTER_APPROVAL, type JobWorkflow } from './run-plan.ts';
import * as artifactStore from './traces/artifact-store.ts';
import * as traceStore from './traces/trace-store.ts';

export interface ReviewParts {
  readonly review: Review;
  readonly request: ActingRequest;
  readonly workflow: (workflowId: string) => JobWorkflow | undefined;
  readonly nowMs: number;
}

/** The fields that a reviewer may change. */
const AMENDABLE: readonly string[] = ['input_refs', 'max_runs'];

/**
 * Records a reviewer's decision in the steps and the audit trail, and moves the job accordingly. The job is locked
 * first, so that of several concurrent reviews only one succeeds.
 * @throws ServiceError `not_found`, `amendment_not_allowed`, `missing_field`, `invalid_review_state`, `max_runs_exceeded`
 */
export async function reviewJob(
  tx: Queries,
  tenantId: TenantId,
  jobId: string,
  parts: ReviewParts,
): Promise<JobRecord> {
  const job = await jobStore.findForUpdate(tx, tenantId, jobId);
  if (!job) throw notFound('job');
  checkAmendment(parts.review);
  if (job.status !== 'waiting_review') {
    throw refusal(`The job is not waiting for a review; its status is ${job.status}`);
  }
  await recordReview(tx, tenantId, job, parts);
  const reviewed = { ...job, reviewedBy: actorOf(parts.request).id };
  const { decision } = parts.review;
  switch (decision) {
    case 'approve':
      return approve(tx, tenantId, reviewed, parts);
    case 'amend':
      return amend(tx, tenantId, reviewed, parts);
    case 'reject':
    case 'cancel':
      return endJob(tx, tenantId, reviewed, { move: decision, nowMs: parts.nowMs });
  }
}

/** The decision `amend` requires an amendment, no other decision allows one, and it may contain only `AMENDABLE` fields. */
function checkAmendment({ decision, amendment }: Review): void {
  if (decision === 'amend' && amendment === undefined) {
    throw new ServiceError('missing_field', 'amendment is required when decision is amend');
  }
  if (decision !== 'amend' && amendment !== undefined) {
    throw new ServiceError('amendment_not_allowed', 'amendment is allowed only when decision is amend');
  }
  const other = Object.keys(amendment ?? {}).find((name) => !AMENDABLE.includes(name));
  if (other !== undefined) {
    throw new ServiceError(
      'amendment_not_allowed',
      `amendment.${other.slice(0, 64)} cannot be amended; only ${AMENDABLE.join(' and ')} can`,
    );
  }
}

/** Finishes the two review steps and writes the audit entry. */
async function recordReview(
  tx: Queries,
  tenantId: TenantId,
  job: JobRecord,
  { review, request, nowMs }: ReviewParts,
): Promise<void> {
  const { traceId, jobId } = job;
  const { decision, comment, amendment } = review;
  const finished = { status: 'succeeded', finishedAtMs: nowMs } as const;
  await traceStore.changeStep(tx, tenantId, { traceId, type: 'review_gate' }, finished);
  await traceStore.changeStep(
    tx,
    tenantId,
    { traceId, type: 'review_decision' },
    { ...finished, startedAtMs: nowMs, output: JSON.stringify({ decision }) },
  );
  const artifacts = await artifactStore.listDigests(tx, tenantId, { jobId, traceId });
  await auditStore.appendFor(
    tx,
    request,
    {
      tenantId,
      action: `job.review.${decision}`,
      resource: { type: 'job', id: jobId },
      detail: withComment(`Recommendation of run ${job.runCount} ${PAST_TENSE[decision]}`, comment),
      fields: {
        decision,
        run: job.runCount,
        trace_id: traceId,
        artifacts,
        ...(comment === undefined ? {} : { comment }),
        ...(amendment === undefined ? {} : { amendment }),
      },
    },
    nowMs,
  );
}

const PAST_TENSE: Readonly<Record<Review['decision'], string>> = {
  approve: 'approved',
  amend: 'amended',
  reject: 'rejected',
  cancel: 'cancelled',
};

/** Appends a comment, on one line: the detail of an audit entry has no line breaks. */
export function withComment(what: string, comment: string | undefined): string {
  return comment === undefined ? what : `${what}: ${comment.replace(/[\s\p{Cc}]+/gu, ' ').trim()}`;
}

async function approve(
  tx: Queries,
  tenantId: TenantId,
  job: JobRecord,
  { review, request, workflow, nowMs }: ReviewParts,
): Promise<JobRecord> {
  const outputs = await traceStore.readOutputs(tx, tenantId, job.traceId);
  const context = { tenantId, inputRefs: job.inputRefs, outputs };
  const obstacle = await knownWorkflow(job, workflow).findApprovalObstacle?.(tx, context);
  if (obstacle !== undefined) throw refusal(obstacle);
  const approval = {
    tokenId: request.caller.tokenId,
    ...(request.caller.issued && { issued: request.caller.issued }),
    requestId: request.requestId,
    comment: review.comment ?? null,
  };
  const next = { nextStep: AFTER_APPROVAL, dueAtMs: nowMs, leasedBy: null, fruitlessClaims: 0 };
  const approved = applyMove(job, 'approve', { ...next, approval, nowMs });
  await jobStore.save(tx, tenantId, approved);
  return approved;
}

/** Runs the workflow again. The results of the previous run are not used. */
async function amend(
  tx: Queries,
  tenantId: TenantId,
  job: JobRecord,
  { review, workflow, nowMs }: ReviewParts,
): Promise<JobRecord> {
  const { input_refs: inputRefs = job.inputRefs, max_runs: maxRuns = job.maxRuns } = review.amendment ?? {};
  const { jobId, traceId } = job;
  const run = job.runCount + 1;
  if (run > maxRuns) {
    throw new ServiceError(
      'max_runs_exceeded',
      `The job has already run ${job.runCount} times and max_runs is ${maxRuns}; raise max_runs to run it again`,
    );
  }
  await requireInputs(tx, tenantId, inputRefs);
  await traceStore.endSteps(tx, tenantId, { traceId, status: 'skipped', nowMs });
  const start = await startRun(tx, tenantId, {
    jobId,
    run,
    inputRefs,
    workflow: knownWorkflow(job, workflow),
    nowMs,
    previousTraceId: traceId,
  });
  const amended = applyMove(job, 'amend', { ...start, maxRuns, nowMs });
  await jobStore.save(tx, tenantId, amended);
  return amended;
}

function knownWorkflow({ workflowId }: JobRecord, workflow: ReviewParts['workflow']): JobWorkflow {
  const known = workflow(workflowId);
  if (!known) throw refusal('This version of the service does not support the workflow of the job');
  return known;
}

function refusal(message: string): ServiceError {
  return new ServiceError('invalid_review_state', message);
}

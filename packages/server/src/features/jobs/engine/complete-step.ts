import { createHash } from 'node:crypto';
import { ARTIFACT_KINDS, ID_PREFIXES, type StepType } from '@tps/contract';
import type { Database, Queries } from '../../../database/index.ts';
import { derivedId, timeOfId } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { endJob } from '../end-job.ts';
import { applyMove, IDLE, type JobRecord } from '../job.ts';
import * as jobStore from '../job-store.ts';
import { orderInRun, planOf, stepAfter } from '../run-plan.ts';
import * as artifactStore from '../traces/artifact-store.ts';
import type { ArtifactRecord } from '../traces/trace.ts';
import * as traceStore from '../traces/trace-store.ts';
import { failStep, lockClaimed } from './claim-job.ts';
import type { ClaimedJob } from './claimed-job.ts';
import type { StepRun } from './run-step.ts';
import type { ArtifactDraft, RunContext, Workflow, WorkflowStep } from './workflow.ts';

export interface FinishedStep {
  readonly workflow: Workflow;
  readonly step: WorkflowStep;
  readonly context: RunContext;
  readonly run: StepRun;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  /** When the lease of the next step ends. */
  readonly leaseEndsAtMs: number;
}

/**
 * Records a step, applies its changes and advances the job, in one transaction. Writes nothing if the job has meanwhile
 * advanced, ended or been claimed by another node.
 * @throws the error of the step's `apply`
 */
export function completeStep(database: Database, claimed: ClaimedJob, done: FinishedStep): Promise<void> {
  const { step, context, run, startedAtMs, finishedAtMs } = done;
  return database.transaction(
    async (tx) => {
      const { tenantId } = claimed;
      if (step.apply) await feedHeadStore.lock(tx, tenantId);
      const job = await lockClaimed(tx, claimed, step.type);
      if (!job) return;
      await step.apply?.(tx, run.result, { ...context, nowMs: finishedAtMs });
      await traceStore.changeStep(
        tx,
        tenantId,
        { traceId: job.traceId, type: step.type },
        {
          status: 'succeeded',
          guardrail: run.result.guardrail,
          output: run.output,
          startedAtMs,
          finishedAtMs,
        },
      );
      const published = await publish(tx, tenantId, { job, type: step.type, done });
      await advanceJob(tx, tenantId, { job: { ...job, ...published }, type: step.type, done });
    },
    // Recording advances the job, so that a repeated transaction has nothing left to record.
    { idempotent: true },
  );
}

/** Fails the step and the job, unless the claim no longer holds the job. */
export function recordStepFailure(
  database: Database,
  claimed: ClaimedJob,
  failure: { type: StepType; errorCode: string; nowMs: number },
): Promise<void> {
  return database.transaction(
    async (tx) => {
      const job = await lockClaimed(tx, claimed, failure.type);
      if (job) await failStep(tx, claimed.tenantId, job, failure);
    },
    { idempotent: true },
  );
}

interface CompletedStep {
  readonly job: JobRecord;
  readonly type: StepType;
  readonly done: FinishedStep;
}

async function publish(
  tx: Queries,
  tenantId: TenantId,
  { job, type, done }: CompletedStep,
): Promise<Pick<JobRecord, 'artifactRefs'>> {
  const drafts = done.run.result.artifacts ?? [];
  if (drafts.length === 0) return job;
  const step = await traceStore.findStep(tx, tenantId, { traceId: job.traceId, type });
  if (!step) throw new Error(`The run has no step ${type}`);
  const artifacts = drafts
    .map((draft) => toArtifact(draft, { job, stepId: step.stepId, nowMs: done.finishedAtMs }))
    .sort((a, b) => (a.artifactId < b.artifactId ? -1 : 1));
  await artifactStore.createMany(tx, tenantId, artifacts);
  return { artifactRefs: [...job.artifactRefs, ...artifacts.map(({ artifactId }) => artifactId)] };
}

function toArtifact(
  { kind, mediaType, content }: ArtifactDraft,
  { job, stepId, nowMs }: { job: JobRecord; stepId: string; nowMs: number },
): ArtifactRecord {
  const { jobId, traceId, runCount } = job;
  const bytes = Buffer.from(content);
  return {
    artifactId: derivedId(ID_PREFIXES.artifact, {
      atMs: timeOfId(traceId),
      order: orderInRun(runCount, ARTIFACT_KINDS.indexOf(kind)),
      seed: `artifact ${traceId} ${kind}`,
    }),
    jobId,
    traceId,
    stepId,
    kind,
    mediaType,
    content,
    createdAtMs: nowMs,
    sizeBytes: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

/** Starts the next step, waits for the review, or completes the job. */
async function advanceJob(
  tx: Queries,
  tenantId: TenantId,
  { job, type, done }: CompletedStep,
): Promise<void> {
  const { finishedAtMs: nowMs, leaseEndsAtMs } = done;
  const nextStep = stepAfter(planOf(done.workflow), type);
  if (nextStep === undefined) {
    await endJob(tx, tenantId, { ...job, fruitlessClaims: 0 }, { move: 'complete', nowMs });
    return;
  }
  const running = { status: 'running', startedAtMs: nowMs } as const;
  await traceStore.changeStep(tx, tenantId, { traceId: job.traceId, type: nextStep }, running);
  const after =
    nextStep === 'review_gate'
      ? applyMove(job, 'wait', { ...IDLE, fruitlessClaims: 0, nowMs })
      : applyMove(job, 'advance', { nextStep, dueAtMs: leaseEndsAtMs, fruitlessClaims: 0, nowMs });
  await jobStore.save(tx, tenantId, after);
}

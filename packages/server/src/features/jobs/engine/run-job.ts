import { setTimeout as pause } from 'node:timers/promises';
import type { StepType } from '@tps/contract';
import { type Database, isWorkAtFault } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { JobRecord } from '../job.ts';
import * as jobStore from '../job-store.ts';
import * as traceStore from '../traces/trace-store.ts';
import { type ClaimedJob, isClaimedBy, releaseJob } from './claim-job.ts';
import { completeStep, recordStepFailure } from './complete-step.ts';
import { runStep, StepInterruptedError } from './run-step.ts';
import { type RunContext, StepFailureError, type Workflow, type WorkflowStep } from './workflow.ts';

/** Pauses while the store cannot be reached: doubled each time, up to the longest. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;
/** What the store breaks off so often asks too much of it, and would for ever. */
const MAX_ABORTED_RUNS = 3;

/** A step that was run, for the metrics. */
export interface ObservedStep {
  readonly step: StepType;
  readonly outcome: 'succeeded' | 'failed';
  readonly seconds: number;
}

export interface RunParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly workflows: readonly Workflow[];
  /** Longest time that one step may take. */
  readonly stepMs: number;
  readonly leaseMs: number;
  /** No other step is begun. */
  readonly stopping: AbortSignal;
  /** The step under way is broken off. */
  readonly interruption: AbortSignal;
  readonly observe: (step: ObservedStep) => void;
}

/**
 * Does the steps of a claimed job until it waits, ends or is no longer this claim's. When the store cannot be reached, it
 * tries again until it can; when the service stops, it gives the job back.
 */
export async function runJob(claimed: ClaimedJob, parts: RunParts): Promise<void> {
  const { database, clock, stopping } = parts;
  for (let failures = 0; ; ) {
    try {
      if (stopping.aborted) {
        await database.transaction((tx) => releaseJob(tx, claimed, clock.now()));
        return;
      }
      if (!(await doNextStep(claimed, { ...parts, failures }))) return;
      failures = 0;
    } catch (error) {
      if (error instanceof StepInterruptedError) continue;
      // Nothing more can be given back: the lease ends by itself.
      if (!isUnavailable(error) || stopping.aborted) throw error;
      const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
      failures += 1;
      await pause(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

/** Gives false when there is nothing more to do for this claim. */
async function doNextStep(claimed: ClaimedJob, parts: RunParts & { failures: number }): Promise<boolean> {
  const { read } = parts.database;
  const job = await jobStore.find(read, claimed.tenantId, claimed.jobId);
  if (!job || !isClaimedBy(job, claimed) || job.nextStep === null) return false;
  const type = job.nextStep;
  const beganMs = performance.now();
  const observe = (outcome: ObservedStep['outcome']) =>
    parts.observe({ step: type, outcome, seconds: (performance.now() - beganMs) / 1000 });
  try {
    await doStep(claimed, { job, type, parts });
    observe('succeeded');
  } catch (error) {
    const isHopeless = isWorkAtFault(error) && parts.failures >= MAX_ABORTED_RUNS;
    if (error instanceof StepInterruptedError || (isUnavailable(error) && !isHopeless)) throw error;
    parts.logger.warn(
      { job: claimed.jobId, step: type, failure: toFailure(error) },
      'a step of a job failed',
    );
    const errorCode = error instanceof StepFailureError ? error.code : 'step_failed';
    await recordStepFailure(parts.database, claimed, { type, errorCode, nowMs: parts.clock.now() });
    observe('failed');
  }
  return true;
}

async function doStep(
  claimed: ClaimedJob,
  { job, type, parts }: { job: JobRecord; type: StepType; parts: RunParts },
): Promise<void> {
  const { database, clock, workflows, stepMs: limitMs, interruption } = parts;
  const { workflow, step } = findStep(workflows, job.workflowId, type);
  const startedAtMs = clock.now();
  const context: RunContext = {
    tenantId: claimed.tenantId,
    inputRefs: job.inputRefs,
    outputs: await traceStore.readOutputs(database.read, claimed.tenantId, job.traceId),
    approval: toApproval(job),
  };
  const run = await runStep(step, context, { queries: database.read, limitMs, interruption });
  const finishedAtMs = clock.now();
  await completeStep(database, claimed, {
    ...{ workflow, step, context, run, startedAtMs, finishedAtMs },
    leaseEndsAtMs: finishedAtMs + parts.leaseMs,
  });
}

function findStep(
  workflows: readonly Workflow[],
  workflowId: string,
  type: StepType,
): { workflow: Workflow; step: WorkflowStep } {
  const workflow = workflows.find(({ id }) => id === workflowId);
  const step = workflow?.steps.find((candidate) => candidate.type === type);
  if (!workflow || !step) throw new StepFailureError('step_failed', `${workflowId} has no step ${type}`);
  return { workflow, step };
}

function toApproval({ approval }: JobRecord): RunContext['approval'] {
  if (approval === null) return null;
  const { tokenId, requestId, comment } = approval;
  return { request: { caller: { tokenId }, requestId }, comment: comment ?? undefined };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'unavailable';
}

/** What may be logged: where it failed. A message can repeat what the step has read. */
function toFailure(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, stack = '' } = error;
  const at = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name,
    at: at.map((line) => line.trim()),
    ...(error instanceof StepFailureError || error instanceof ServiceError ? { code: error.code } : {}),
  };
}

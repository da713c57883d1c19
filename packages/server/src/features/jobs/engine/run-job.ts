import { setTimeout as pause } from 'node:timers/promises';
import type { StepType } from '@tps/contract';
import { type Database, isWorkAtFault } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { FairTurns } from '../../../platform/concurrency/fair-turns.ts';
import type { Logger } from '../../../platform/logger.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { JobRecord } from '../job.ts';
import * as jobStore from '../job-store.ts';
import * as traceStore from '../traces/trace-store.ts';
import { isClaimedBy, releaseJob } from './claim-job.ts';
import type { ClaimedJob } from './claimed-job.ts';
import { completeStep, recordStepFailure } from './complete-step.ts';
import { runStep, StepInterruptedError } from './run-step.ts';
import { type RunContext, StepFailureError, type Workflow, type WorkflowStep } from './workflow.ts';

/** Pauses between attempts while the store is unreachable: each is twice the one before, up to the maximum. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;
/** A step whose statements the store aborts this often is too expensive, and would never succeed. */
const MAX_ABORTED_RUNS = 3;

/** The result of a step, for the metrics. */
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
  readonly turns: FairTurns;
  /** Time limit of one step. */
  readonly stepMs: number;
  readonly leaseMs: number;
  /** Once aborted, no further step starts. */
  readonly stopping: AbortSignal;
  /** Once aborted, the running step is interrupted. */
  readonly interruption: AbortSignal;
  readonly observe: (step: ObservedStep) => void;
}

/**
 * Runs the steps of a claimed job until the job waits, ends or is claimed by another node. Retries while the store is
 * unreachable; releases the job when the service stops.
 */
export async function runJob(claimed: ClaimedJob, parts: RunParts): Promise<void> {
  const { database, clock, stopping } = parts;
  for (let failures = 0; ; ) {
    try {
      if (stopping.aborted) {
        await database.transaction((tx) => releaseJob(tx, claimed, clock.now()));
        return;
      }
      if (!(await runNextStep(claimed, { ...parts, failures }))) return;
      failures = 0;
    } catch (error) {
      if (error instanceof StepInterruptedError) continue;
      // The job cannot be released; its lease expires.
      if (!isUnavailable(error) || stopping.aborted) throw error;
      const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
      failures += 1;
      await pause(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

/** Returns false when the claim has nothing left to do. */
async function runNextStep(claimed: ClaimedJob, parts: RunParts & { failures: number }): Promise<boolean> {
  const { read } = parts.database;
  const job = await jobStore.find(read, claimed.tenantId, claimed.jobId);
  if (!job || !isClaimedBy(job, claimed) || job.nextStep === null) return false;
  const type = job.nextStep;
  const startedMs = performance.now();
  const observe = (outcome: ObservedStep['outcome']) =>
    parts.observe({ step: type, outcome, seconds: (performance.now() - startedMs) / 1000 });
  try {
    await executeStep(claimed, { job, type, parts });
    observe('succeeded');
  } catch (error) {
    const isTooExpensive = isWorkAtFault(error) && parts.failures >= MAX_ABORTED_RUNS;
    if (error instanceof StepInterruptedError || (isUnavailable(error) && !isTooExpensive)) throw error;
    parts.logger.warn({ jobId: claimed.jobId, step: type, failure: toFailure(error) }, 'job step failed');
    const errorCode = error instanceof StepFailureError ? error.code : 'step_failed';
    await recordStepFailure(parts.database, claimed, { type, errorCode, nowMs: parts.clock.now() });
    observe('failed');
  }
  return true;
}

async function executeStep(
  claimed: ClaimedJob,
  { job, type, parts }: { job: JobRecord; type: StepType; parts: RunParts },
): Promise<void> {
  const { database, clock, workflows, turns, stepMs: limitMs, interruption } = parts;
  const { workflow, step } = findStep(workflows, job.workflowId, type);
  const startedAtMs = clock.now();
  const context: RunContext = {
    tenantId: claimed.tenantId,
    inputRefs: job.inputRefs,
    outputs: await traceStore.readOutputs(database.read, claimed.tenantId, job.traceId),
    approval: toApproval(job),
  };
  const run = await runStep(step, context, { queries: database.read, turns, limitMs, interruption });
  const finishedAtMs = clock.now();
  await completeStep(database, claimed, {
    workflow,
    step,
    context,
    run,
    startedAtMs,
    finishedAtMs,
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
  const { tokenId, issued, requestId, comment } = approval;
  return { request: { caller: { tokenId, issued }, requestId }, comment: comment ?? undefined };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'unavailable';
}

/** Returns the loggable part of an error: where it was thrown. The message may quote data that the step has read. */
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

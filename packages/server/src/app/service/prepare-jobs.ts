import type { Database } from '../../database/index.ts';
import {
  JobWorker,
  type ObservedStep,
  registerJobMetrics,
  type Workflow,
} from '../../features/jobs/index.ts';
import { incidentTriage } from '../../features/triage/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Activity } from '../../platform/concurrency/activity.ts';
import type { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Tracer } from '../../platform/tracing/tracer.ts';

/** The job worker and its workflows. */
export interface Jobs {
  readonly workflows: readonly Workflow[];
  readonly worker: JobWorker;
}

/** Prepares the job worker. It does nothing before it is started. */
export function prepareJobs(parts: {
  config: Config;
  database: Database;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  tracer: Tracer;
  turns: FairTurns;
  activity: Activity;
  /** What jobs can run (default: incident triage). */
  workflows?: readonly Workflow[];
}): Jobs {
  const { config, database, clock, logger, metrics, tracer, turns, activity } = parts;
  const { workflows = [incidentTriage] } = parts;
  const observeStep = registerJobMetrics(metrics, { database, clock });
  const worker = new JobWorker({
    database,
    clock,
    logger,
    workflows,
    turns,
    activity,
    stepMs: config.jobs.stepSeconds * 1000,
    observe(step) {
      observeStep(step);
      traceStep(tracer, step);
    },
  });
  return { workflows, worker };
}

/** A job outlives the request that created it, so each step begins a trace. The step has ended by now. */
function traceStep(tracer: Tracer, { step, outcome, seconds }: ObservedStep): void {
  const startedAtMs = Date.now() - seconds * 1000;
  const span = tracer.start('run job step', { startedAtMs, attributes: { 'tps.job.step': step } });
  span.end({ error: outcome === 'failed' ? 'step_failed' : undefined });
}

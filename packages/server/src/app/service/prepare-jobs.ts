import type { Database } from '../../database/index.ts';
import { JobWorker, registerJobMetrics, type Workflow } from '../../features/jobs/index.ts';
import { incidentTriage } from '../../features/triage/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';

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
  /** What jobs can run (default: incident triage). */
  workflows?: readonly Workflow[];
}): Jobs {
  const { config, database, clock, logger, metrics, workflows = [incidentTriage] } = parts;
  const worker = new JobWorker({
    database,
    clock,
    logger,
    workflows,
    stepMs: config.jobs.stepSeconds * 1000,
    observe: registerJobMetrics(metrics, { database, clock }),
  });
  return { workflows, worker };
}

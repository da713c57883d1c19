import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Metrics } from '../../../platform/metrics/metrics.ts';
import { findOldestDueAt } from './due-tenant-read-model.ts';
import { countPending } from './job-queue-store.ts';
import type { ObservedStep } from './run-job.ts';

/** Adds the metrics of jobs. Returns what observes the steps of this process. */
export function registerJobMetrics(
  metrics: Metrics,
  { database: { read }, clock }: { database: Database; clock: Clock },
): (step: ObservedStep) => void {
  metrics.sample({
    name: 'jobs',
    maxAgeMs: 0,
    gauges: {
      pending: {
        name: 'tps_jobs_pending',
        help: 'Jobs with a step to run, by state: waiting or running. At most 10000 are counted.',
        labels: ['state'],
      },
      oldest: {
        name: 'tps_jobs_oldest_due_age_seconds',
        help: 'Time since which the job that is due the longest could run. 0 if none is due.',
      },
    },
    async read() {
      const { waiting, running } = await countPending(read);
      const oldestMs = await findOldestDueAt(read);
      return {
        pending: [
          { labels: { state: 'waiting' }, value: waiting },
          { labels: { state: 'running' }, value: running },
        ],
        oldest: oldestMs === undefined ? 0 : Math.max(0, clock.now() - oldestMs) / 1000,
      };
    },
  });
  const steps = metrics.histogram(
    {
      name: 'tps_job_step_duration_seconds',
      help: 'Duration of job steps by outcome: succeeded or failed.',
      labels: ['step', 'outcome'],
    },
    [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30],
  );
  return ({ step, outcome, seconds }) => steps.observe({ step, outcome }, seconds);
}

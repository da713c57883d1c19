import type { Tracer } from '../../platform/tracing/tracer.ts';
import type { Feature, SharedParts } from '../feature.ts';
import { incidentTriage } from '../triage/index.ts';
import { registerJobMetrics } from './engine/job-metrics.ts';
import { JobWorker } from './engine/job-worker.ts';
import type { ObservedStep } from './engine/run-job.ts';
import type { Workflow } from './engine/workflow.ts';
import { jobBulkRoutes } from './job-bulk-routes.ts';
import { jobRoutes } from './job-routes.ts';
import { JobService } from './job-service.ts';

export type JobsFeature = ReturnType<typeof jobsFeature>;

/** Jobs, and the worker that runs their workflows. */
export function jobsFeature(
  shared: SharedParts,
  { workflows = [incidentTriage] }: { readonly workflows?: readonly Workflow[] },
) {
  const { config, requests, metrics, tracer } = shared;
  const observeStep = registerJobMetrics(metrics, shared);
  const worker = new JobWorker({
    ...{ ...shared, workflows },
    stepMs: config.jobs.stepSeconds * 1000,
    observe(step) {
      observeStep(step);
      traceStep(tracer, step);
    },
  });
  const jobs = new JobService({ ...shared, database: requests, workflows, wake: () => worker.wake() });
  const parts = { ...shared, database: requests, jobs };
  return {
    ...{ worker },
    routes: [...jobRoutes(parts), ...jobBulkRoutes(parts)],
    loops: [worker],
    component: {
      name: 'workflow',
      isUp: () => worker.isRunning(),
      check: {
        name: 'jobs',
        problem: 'Triage jobs are not running',
        whatToDo: 'Look for "job" in the log. If the store works, restart the service.',
      },
    },
  } satisfies Feature;
}

/** A job outlives the request that created it, so each step begins a trace. The step has ended by now. */
function traceStep(tracer: Tracer, { step, outcome, seconds }: ObservedStep): void {
  const startedAtMs = Date.now() - seconds * 1000;
  const span = tracer.start('run job step', { startedAtMs, attributes: { 'tps.job.step': step } });
  span.end({ error: outcome === 'failed' ? 'step_failed' : undefined });
}

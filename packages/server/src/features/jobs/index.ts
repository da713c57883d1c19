export { registerJobMetrics } from './engine/job-metrics.ts';
export { JobWorker } from './engine/job-worker.ts';
export type { ObservedStep } from './engine/run-job.ts';
export {
  type Approval,
  type RunContext,
  StepFailureError,
  type StepResult,
  type Workflow,
  type WorkflowStep,
  workflowStep,
} from './engine/workflow.ts';
export * as jobStore from './job-store.ts';

export { JobWorker } from './engine/job-worker.ts';
export type { ObservedStep } from './engine/run-job.ts';
export {
  type Approval,
  type RunContext,
  StepFailureError,
  type StepResult,
  type Workflow,
  workflowStep,
} from './engine/workflow.ts';
export { jobRoutes } from './job-routes.ts';
export { JobService } from './job-service.ts';
export * as jobStore from './job-store.ts';

export { JobWorker } from './job-worker.ts';
export type { ObservedStep } from './run-job.ts';
export {
  type Approval,
  type ArtifactDraft,
  type RunContext,
  StepFailureError,
  type StepResult,
  type Workflow,
  type WorkflowStep,
  workflowStep,
} from './workflow.ts';

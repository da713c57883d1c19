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

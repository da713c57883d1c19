import type { ArtifactKind, GuardrailResult, StepType } from '@tps/contract';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { Steps } from '../../../platform/concurrency/fair-turns.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { ActingRequest } from '../../audit/index.ts';

/** A reviewer's approval, which `apply_decision` applies. */
export interface Approval {
  readonly request: ActingRequest;
  readonly comment: string | undefined;
}

/** The run that a step belongs to, as the step sees it. */
export interface RunContext {
  readonly tenantId: TenantId;
  readonly inputRefs: readonly string[];
  /** Stored outputs of the previous steps. */
  readonly outputs: Readonly<Partial<Record<StepType, unknown>>>;
  /** Null before the review. */
  readonly approval: Approval | null;
}

/** A document to publish. */
export interface ArtifactDraft {
  readonly kind: ArtifactKind;
  readonly mediaType: 'text/markdown' | 'application/json';
  readonly content: string;
}

export interface StepResult {
  /** Plain JSON: it is stored and read by later steps. */
  readonly output: unknown;
  readonly guardrail: GuardrailResult;
  readonly artifacts?: readonly ArtifactDraft[];
}

/**
 * A step of a workflow. Reading and evaluating are separate: `gather` only reads the store, and `run` is pure, so that
 * the same facts always have the same result. Neither may write, because a step is repeated if its process was killed.
 */
export interface WorkflowStep<Facts = unknown> {
  readonly type: StepType;
  gather(queries: ReadQueries, context: RunContext): Promise<Facts>;
  /** In steps where it can take longer than a few milliseconds, so that it shares the thread with requests. */
  run(facts: Facts, context: RunContext): StepResult | Steps<StepResult>;
  /**
   * Makes the step's changes beyond its own job, exactly once, in the transaction that records the step. The head of
   * the tenant's feed is locked.
   * @throws StepFailureError if it cannot be done; the transaction is then rolled back
   */
  apply?(tx: Queries, result: StepResult, context: RunContext & { readonly nowMs: number }): Promise<void>;
}

/** Steps in their order. The engine adds `review_gate`, where the job waits for a reviewer. */
export interface Workflow {
  readonly id: string;
  readonly steps: readonly WorkflowStep[];
  /**
   * Returns why the recommendation of a run can no longer be applied, as a sentence for the reviewer; undefined if it
   * still can. Only reads, inside the transaction of the review.
   */
  findApprovalObstacle?(
    queries: ReadQueries,
    context: Pick<RunContext, 'tenantId' | 'inputRefs' | 'outputs'>,
  ): Promise<string | undefined>;
}

/** Hides the type of a step's facts, so that a list can hold steps of different types. */
export function workflowStep<Facts>(step: WorkflowStep<Facts>): WorkflowStep {
  // The engine passes to `run` what `gather` of the same step returned.
  return step as WorkflowStep;
}

/** Fails the job, with this code as its `error_code`. */
export class StepFailureError extends Error {
  override readonly name = 'StepFailureError';
  readonly code: string;

  constructor(code: string, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

import type { ArtifactKind, GuardrailResult, StepType } from '@tps/contract';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { ActingRequest } from '../../audit/index.ts';

/** A person's approval, as `apply_decision` carries it out. */
export interface Approval {
  readonly request: ActingRequest;
  readonly comment: string | undefined;
}

/** What a step knows of the run that it is part of. */
export interface RunContext {
  readonly tenantId: TenantId;
  readonly inputRefs: readonly string[];
  /** What the steps before it have put out, as it was stored. */
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
  /** Plain JSON: it is stored, and later steps read it back. */
  readonly output: unknown;
  readonly guardrail: GuardrailResult;
  readonly artifacts?: readonly ArtifactDraft[];
}

/**
 * A step of a workflow. Reading and judging are apart: `gather` reads the store and nothing else, `run` is pure, so that
 * the same facts give the same result. Neither may change anything: a step that a killed process has begun is done again.
 */
export interface WorkflowStep<Facts = unknown> {
  readonly type: StepType;
  gather(queries: ReadQueries, context: RunContext): Promise<Facts>;
  run(facts: Facts, context: RunContext): StepResult;
  /**
   * What the step changes beyond its own job, in the transaction that records it: once, whatever happens. The end of
   * the tenant's feed is locked.
   * @throws StepFailureError when it cannot be done; nothing of it is then
   */
  apply?(tx: Queries, result: StepResult, context: RunContext & { readonly nowMs: number }): Promise<void>;
}

/** Steps in their order. The step `review_gate` is the engine's own: there the job waits for a person. */
export interface Workflow {
  readonly id: string;
  readonly steps: readonly WorkflowStep[];
  /**
   * Says, in a sentence for the reviewer, why the recommendation of a run can no longer be applied; undefined when it
   * can. Reads only, inside the transaction of the review.
   */
  refuseApproval?(
    queries: ReadQueries,
    context: Pick<RunContext, 'tenantId' | 'inputRefs' | 'outputs'>,
  ): Promise<string | undefined>;
}

/** Types a step by its facts, for the list that holds many kinds. */
export function workflowStep<Facts>(step: WorkflowStep<Facts>): WorkflowStep {
  // The engine hands to `run` what `gather` of the same step has given.
  return step as WorkflowStep;
}

/** Ends a job as `failed`, with this code as its `error_code`. */
export class StepFailureError extends Error {
  override readonly name = 'StepFailureError';
  readonly code: string;

  constructor(code: string, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

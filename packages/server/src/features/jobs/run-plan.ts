import { ID_PREFIXES, type StepType } from '@tps/contract';
import type { ReadQueries } from '../../database/index.ts';
import { derivedId } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { StepRecord, TraceRecord } from './traces/trace.ts';

/** What jobs need to know of the workflow that they run. */
export interface JobWorkflow {
  readonly id: string;
  readonly steps: readonly { readonly type: StepType }[];
  /** Says why the recommendation of a run can no longer be applied; undefined when it can. */
  refuseApproval?(queries: ReadQueries, context: ApprovalContext): Promise<string | undefined>;
}

interface ApprovalContext {
  readonly tenantId: TenantId;
  readonly inputRefs: readonly string[];
  readonly outputs: Readonly<Partial<Record<StepType, unknown>>>;
}

/** The engine's own steps: there the job waits, and there the decision is noted. */
const REVIEW: readonly StepType[] = ['review_gate', 'review_decision'];
/** What comes after an approval. */
export const AFTER_APPROVAL = 'apply_decision' as const satisfies StepType;
/** More than a workflow has steps, so that the steps of two runs never mix in the order. */
const ORDERS_PER_RUN = 16;

/** Gives all steps of a run in their order: those of the workflow, and the review before the decision is applied. */
export function planOf({ id, steps }: Pick<JobWorkflow, 'id' | 'steps'>): readonly StepType[] {
  const types = steps.map(({ type }) => type).filter((type) => !REVIEW.includes(type));
  const gate = types.indexOf(AFTER_APPROVAL);
  if (gate < 1) throw new Error(`The workflow ${id} needs steps, and then ${AFTER_APPROVAL}`);
  return [...types.slice(0, gate), ...REVIEW, ...types.slice(gate)];
}

/** Gives the step after one; undefined after the last. */
export function stepAfter(plan: readonly StepType[], type: StepType): StepType | undefined {
  return plan[plan.indexOf(type) + 1];
}

/** Places what belongs to a run in the order of ids: by run, then by position. */
export function orderInRun(run: number, position: number): number {
  return run * ORDERS_PER_RUN + position;
}

/** Makes the steps of a run before any of them has begun. */
export function pendingSteps(trace: TraceRecord, plan: readonly StepType[]): StepRecord[] {
  return plan.map((type, position) => ({
    stepId: derivedId(ID_PREFIXES.step, {
      atMs: trace.createdAtMs,
      order: orderInRun(trace.run, position),
      seed: `step ${trace.traceId} ${type}`,
    }),
    traceId: trace.traceId,
    jobId: trace.jobId,
    run: trace.run,
    type,
    status: 'pending',
    errorCode: null,
    guardrail: 'not_applicable',
    startedAtMs: null,
    finishedAtMs: null,
  }));
}

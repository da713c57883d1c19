import type { StepType } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../database/index.ts';
import { derivedId } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { StepRecord, TraceRecord } from './traces/trace.ts';

/** The part of a workflow that jobs use. */
export interface JobWorkflow {
  readonly id: string;
  readonly steps: readonly { readonly type: StepType }[];
  /** Returns why the recommendation of a run can no longer be applied; undefined if it still can. */
  findApprovalObstacle?(queries: ReadQueries, context: ApprovalContext): Promise<string | undefined>;
}

interface ApprovalContext {
  readonly tenantId: TenantId;
  readonly inputRefs: readonly string[];
  readonly outputs: Readonly<Partial<Record<StepType, unknown>>>;
}

/** The engine's own steps: the job waits in the first, and the second records the decision. */
const REVIEW_STEPS: readonly StepType[] = ['review_gate', 'review_decision'];
/** The step that an approval leads to. */
export const AFTER_APPROVAL = 'apply_decision' as const satisfies StepType;
/** More than the number of steps in a workflow, so that the steps of two runs never interleave. */
const POSITIONS_PER_RUN = 16;

/** Returns all steps of a run in order: those of the workflow, with the review before the decision is applied. */
export function planOf({ id, steps }: Pick<JobWorkflow, 'id' | 'steps'>): readonly StepType[] {
  const types = steps.map(({ type }) => type).filter((type) => !REVIEW_STEPS.includes(type));
  const gate = types.indexOf(AFTER_APPROVAL);
  if (gate < 1)
    throw new Error(`The workflow ${id} must have ${AFTER_APPROVAL} after at least one other step`);
  return [...types.slice(0, gate), ...REVIEW_STEPS, ...types.slice(gate)];
}

/** Returns the step after this one; undefined after the last. */
export function stepAfter(plan: readonly StepType[], type: StepType): StepType | undefined {
  return plan[plan.indexOf(type) + 1];
}

/** Returns the sort order for ids of steps and artifacts: by run, then by position. */
export function orderInRun(run: number, position: number): number {
  return run * POSITIONS_PER_RUN + position;
}

/** Creates the steps of a run, all pending. */
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

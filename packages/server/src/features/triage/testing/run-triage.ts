import type { ArtifactKind, GuardrailResult, StepType } from '@tps/contract';
import type { Database } from '../../../database/index.ts';
import { FairTurns } from '../../../platform/concurrency/fair-turns.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { feedHeadStore } from '../../feed/index.ts';
import type { RunContext, StepResult, WorkflowStep } from '../../jobs/index.ts';
import { incidentTriage } from '../incident-triage.ts';
import type { TriageOutputs } from '../outputs.ts';
import { request } from './triage-scene.ts';

export interface TriageRun {
  readonly context: RunContext;
  readonly outputs: TriageOutputs;
  readonly guardrail: GuardrailResult;
  readonly artifacts: Readonly<Record<ArtifactKind, string>>;
}

/** Runs the steps up to the review like the engine, with outputs through JSON, but without a queue. */
export async function runTriage(
  database: Database,
  tenantId: TenantId,
  inputRefs: readonly string[],
  disturb: (facts: unknown) => unknown = (facts) => facts,
): Promise<TriageRun> {
  const outputs: Partial<Record<StepType, unknown>> = {};
  const context: RunContext = { tenantId, inputRefs, outputs, approval: null };
  const artifacts: Partial<Record<ArtifactKind, string>> = {};
  let guardrail: GuardrailResult = 'not_applicable';
  for (const step of incidentTriage.steps) {
    if (step.type === 'apply_decision') continue;
    const facts = disturb(await step.gather(database.read, context));
    const result = await resultOf(step, facts, context);
    outputs[step.type] = JSON.parse(JSON.stringify(result.output ?? null));
    if (step.type === 'guardrail_check') guardrail = result.guardrail;
    for (const { kind, content } of result.artifacts ?? []) artifacts[kind] = content;
  }
  return {
    context,
    outputs: outputs as unknown as TriageOutputs,
    guardrail,
    artifacts: artifacts as Record<ArtifactKind, string>,
  };
}

async function resultOf(step: WorkflowStep, facts: unknown, context: RunContext): Promise<StepResult> {
  const result = step.run(facts, context);
  return 'next' in result ? new FairTurns().runSteps(context.tenantId, result) : result;
}

/** Approves the recommendation of a run like the engine: in one transaction, with the head of the feed locked. */
export async function approve(
  database: Database,
  { context }: TriageRun,
  { nowMs, comment }: { nowMs: number; comment?: string },
): Promise<void> {
  const step = incidentTriage.steps.find(({ type }) => type === 'apply_decision');
  const approved = { ...context, approval: { request, comment }, nowMs };
  const facts = await step?.gather(database.read, approved);
  const result = step && (await resultOf(step, facts, approved));
  await database.transaction(async (tx) => {
    await feedHeadStore.lock(tx, context.tenantId);
    if (result) await step?.apply?.(tx, result, approved);
  });
}

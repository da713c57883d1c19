import { type RunContext, StepFailureError } from '../jobs/index.ts';
import type { CaseFile } from './case/case-file.ts';
import type { Evidence } from './case/evidence.ts';
import type { Correlation, Guardrails, Recommendation, TriageScore } from './triage-results.ts';

/** What each step hands to those after it. */
export interface TriageOutputs {
  readonly load_inputs: CaseFile;
  readonly collect_evidence: Evidence;
  readonly correlate: Correlation;
  readonly classify: TriageScore;
  readonly guardrail_check: Guardrails;
  readonly draft_recommendation: Recommendation;
}

/** Gives what a step before this one has put out. It was stored as JSON by the same version of that step. */
export function outputOf<Step extends keyof TriageOutputs>(
  { outputs }: Pick<RunContext, 'outputs'>,
  step: Step,
): TriageOutputs[Step] {
  const output = outputs[step];
  if (output === undefined || output === null)
    throw new StepFailureError('step_output_missing', `The step ${step} has left nothing to build on`);
  return output as TriageOutputs[Step];
}

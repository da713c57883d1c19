import { type RunContext, StepFailureError } from '../jobs/index.ts';
import type { CaseFile } from './case/case-file.ts';
import type { Evidence } from './case/evidence.ts';
import type { Correlation, Guardrails, Recommendation, TriageScore } from './triage-results.ts';

/** The output of each step, for the later steps. */
export interface TriageOutputs {
  readonly load_inputs: CaseFile;
  readonly collect_evidence: Evidence;
  readonly correlate: Correlation;
  readonly classify: TriageScore;
  readonly guardrail_check: Guardrails;
  readonly draft_recommendation: Recommendation;
}

/** Returns the output of an earlier step, which was stored as JSON by the same version of that step. */
export function outputOf<Step extends keyof TriageOutputs>(
  { outputs }: Pick<RunContext, 'outputs'>,
  step: Step,
): TriageOutputs[Step] {
  const output = outputs[step];
  if (output === undefined || output === null)
    throw new StepFailureError('step_output_missing', `The step ${step} has no stored output`);
  return output as TriageOutputs[Step];
}

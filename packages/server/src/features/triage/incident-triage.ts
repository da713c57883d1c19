import type { Workflow } from '../workflow/index.ts';
import { applyDecision, refuseApproval } from './apply-decision.ts';
import { collectEvidence } from './case/collect-evidence.ts';
import { correlate } from './case/correlate.ts';
import { loadInputs } from './case/load-inputs.ts';
import { classify } from './classify.ts';
import { draftRecommendation } from './draft/draft-recommendation.ts';
import { guardrailCheck } from './guardrail-check.ts';
import { publishArtifacts } from './report/publish-artifacts.ts';

/**
 * What `incident_triage_v1` thinks, in the order of its steps. Publishing comes before the review: what a person
 * approves is the immutable text they have read.
 */
export const incidentTriage: Workflow = {
  id: 'incident_triage_v1',
  steps: [
    loadInputs,
    collectEvidence,
    correlate,
    classify,
    guardrailCheck,
    draftRecommendation,
    publishArtifacts,
    applyDecision,
  ],
  refuseApproval,
};

import type { Workflow } from '../jobs/index.ts';
import { applyDecision, findApprovalObstacle } from './steps/apply-decision.ts';
import { classify } from './steps/classify.ts';
import { collectEvidence } from './steps/collect-evidence.ts';
import { correlate } from './steps/correlate.ts';
import { draftRecommendation } from './steps/draft-recommendation.ts';
import { guardrailCheck } from './steps/guardrail-check.ts';
import { loadInputs } from './steps/load-inputs.ts';
import { publishArtifacts } from './steps/publish-artifacts.ts';

/**
 * The workflow `incident_triage_v1`. Artifacts are published before the review, so that a reviewer approves exactly the
 * immutable text that they have read.
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
  findApprovalObstacle,
};

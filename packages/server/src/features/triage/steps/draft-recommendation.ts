import { toTimestamp } from '../../../platform/time.ts';
import { type StepResult, workflowStep } from '../../jobs/index.ts';
import { observationsByIncident } from '../case/incident-events.ts';
import { outputOf } from '../outputs.ts';
import { decideIncident } from '../recommendation/decide-incident.ts';
import { draftActions } from '../recommendation/draft-actions.ts';
import { draftQuestions } from '../recommendation/draft-questions.ts';
import { guidanceIdsFor } from '../recommendation/guidance-ids.ts';
import { METHOD_VERSION } from '../scoring/score-weights.ts';
import type { Proposal, Recommendation, RecommendationBasis } from '../triage-results.ts';
import { isThreatCategory } from '../wording.ts';

/** Drafts the recommendation for the reviewer. */
export const draftRecommendation = workflowStep<null>({
  type: 'draft_recommendation',
  gather: async () => null,
  run: (_, context): StepResult => ({
    output: toRecommendation({
      file: outputOf(context, 'load_inputs'),
      evidence: outputOf(context, 'collect_evidence'),
      correlation: outputOf(context, 'correlate'),
      triageScore: outputOf(context, 'classify'),
      guardrails: outputOf(context, 'guardrail_check'),
    }),
    guardrail: 'not_applicable',
  }),
});

function toRecommendation(basis: RecommendationBasis): Recommendation {
  const { file, triageScore, guardrails } = basis;
  const observationsOf = observationsByIncident(file);
  const proposals = file.incidents.map((incident): Proposal => {
    const { change, why } = decideIncident(incident, basis, observationsOf);
    return {
      incident_id: incident.incidentId,
      category: incident.category,
      now: { status: incident.status, resolution: incident.resolution },
      change: change?.status === incident.status ? null : change,
      why,
      basis: {
        incident_id: incident.incidentId,
        status: incident.status,
        last_event_at: toTimestamp(incident.lastEventAtMs),
        revision: incident.revision,
      },
    };
  });
  const cited = [
    ...triageScore.reasons.flatMap(({ refs }) => refs),
    ...guardrails.checks.flatMap(({ refs }) => refs),
  ];
  return {
    verdict: triageScore.verdict,
    score: triageScore.score,
    proposals,
    actions: draftActions(basis, proposals),
    questions: draftQuestions(basis),
    evidence_ids: [...new Set(cited)].sort(),
    guidance_ids: toGuidanceIds(basis),
    method: METHOD_VERSION,
  };
}

/** Returns the guidance cards for the categories of the case, those of incidents first. */
function toGuidanceIds({ file }: RecommendationBasis): string[] {
  const categories = [
    ...file.incidents.map(({ category }) => category),
    ...file.events.filter(({ action }) => action !== 'allow').map(({ category }) => category),
    ...file.scans.flatMap(({ category }) => category ?? []),
  ].filter(isThreatCategory);
  return [...new Set(categories)].flatMap(guidanceIdsFor);
}

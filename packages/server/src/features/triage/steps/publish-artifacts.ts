import type { Steps } from '../../../platform/concurrency/fair-turns.ts';
import { type StepResult, workflowStep } from '../../jobs/index.ts';
import { outputOf } from '../outputs.ts';
import { evidenceDocument, recommendationDocument, timelineDocument } from '../report/documents.ts';
import { writeReport } from '../report/triage-report.ts';
import type { RecommendationBasis } from '../triage-results.ts';

/** Publishes before the review, so that a reviewer approves exactly the text that they have read. */
export const publishArtifacts = workflowStep<null>({
  type: 'publish_artifacts',
  gather: async () => null,
  *run(_, context): Steps<StepResult> {
    const recommendation = outputOf(context, 'draft_recommendation');
    const basis: RecommendationBasis = {
      file: outputOf(context, 'load_inputs'),
      evidence: outputOf(context, 'collect_evidence'),
      correlation: outputOf(context, 'correlate'),
      triageScore: outputOf(context, 'classify'),
      guardrails: outputOf(context, 'guardrail_check'),
    };
    const report = yield* writeReport(recommendation, basis);
    const documents = {
      timeline: yield* timelineDocument(basis),
      evidence: yield* evidenceDocument(basis),
      recommendation: yield* recommendationDocument(recommendation, basis),
    };
    const mediaType = 'application/json';
    return {
      output: null,
      guardrail: 'not_applicable',
      artifacts: [
        { kind: 'triage_report', mediaType: 'text/markdown', content: report },
        { kind: 'timeline', mediaType, content: documents.timeline },
        { kind: 'evidence', mediaType, content: documents.evidence },
        { kind: 'recommendation', mediaType, content: documents.recommendation },
      ],
    };
  },
});

import { type StepResult, workflowStep } from '../../jobs/index.ts';
import { outputOf } from '../outputs.ts';
import { reasonsAgainst } from '../scoring/reasons-against.ts';
import { reasonsFor } from '../scoring/reasons-for.ts';
import { BANDS, PRECEDENT_REASONS } from '../scoring/score-weights.ts';
import { hasEvidenceElsewhere } from '../scoring/withdrawn-elsewhere.ts';
import type { ClassificationBasis, Reason, TriageScore, TriageVerdict } from '../triage-results.ts';

/** Scores the evidence. */
export const classify = workflowStep<null>({
  type: 'classify',
  gather: async () => null,
  run: (_, context): StepResult => ({
    output: scoreCase({
      file: outputOf(context, 'load_inputs'),
      evidence: outputOf(context, 'collect_evidence'),
      correlation: outputOf(context, 'correlate'),
    }),
    guardrail: 'not_applicable',
  }),
});

export function scoreCase(basis: ClassificationBasis): TriageScore {
  const found = [...reasonsFor(basis), ...reasonsAgainst(basis)];
  const reasons = [...found, ...toClamp(found)];
  const score = sumOf(reasons);
  const ownScore = sumOf(found.filter(({ code }) => !PRECEDENT_REASONS.includes(code)));
  return { verdict: toVerdict({ score, ownScore }, basis), score, reasons };
}

/** Limits the score to 0 to 100 with a separate reason, so that the reasons always add up to the score. */
function toClamp(reasons: readonly Reason[]): Reason[] {
  const sum = sumOf(reasons);
  const score = Math.min(100, Math.max(0, sum));
  if (score === sum) return [];
  const limit = sum > 100 ? 'the maximum score is 100' : 'the minimum score is 0';
  const sentence = `The points add up to ${sum}; ${limit}.`;
  return [{ code: 'clamp', points: score - sum, sentence, refs: [] }];
}

function sumOf(reasons: readonly Reason[]): number {
  return reasons.reduce((sum, { points }) => sum + points, 0);
}

const TECHNICAL_CATEGORIES = ['device_integrity', 'monitoring'];

function toVerdict(
  { score, ownScore }: { score: number; ownScore: number },
  basis: ClassificationBasis,
): TriageVerdict {
  const { file, correlation } = basis;
  const isTechnical =
    file.incidents.length > 0 &&
    file.incidents.every(({ category }) => TECHNICAL_CATEGORIES.includes(category));
  if (isTechnical && (correlation.harmful === 0 || file.alerts.length === 0)) return 'technical';
  const hasEvidence = file.events.length > 0 || file.scans.some(({ status }) => status === 'completed');
  // Missing evidence does not mean harmless.
  if (!hasEvidence) return 'unclear';
  if (score >= BANDS.genuineFrom) return 'likely_genuine';
  // Other cases can make this one unclear but not a false alarm, nor can a correction that other evidence contradicts.
  const isFalse = score <= BANDS.falseUpTo && ownScore <= BANDS.falseUpTo && !hasEvidenceElsewhere(basis);
  return isFalse ? 'likely_false' : 'unclear';
}

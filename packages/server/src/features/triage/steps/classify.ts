import { type StepResult, workflowStep } from '../../jobs/index.ts';
import { outputOf } from '../outputs.ts';
import { reasonsAgainst } from '../scoring/reasons-against.ts';
import { reasonsFor } from '../scoring/reasons-for.ts';
import { BANDS, PRECEDENT_REASONS } from '../scoring/score-weights.ts';
import { standsElsewhere } from '../scoring/withdrawn-elsewhere.ts';
import type { ClassificationBasis, Reason, TriageScore, TriageVerdict } from '../triage-results.ts';

/** Weighs what was found. */
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
  const reasons = [...found, ...clampOf(found)];
  const score = sumOf(reasons);
  const ownScore = sumOf(found.filter(({ code }) => !PRECEDENT_REASONS.includes(code)));
  return { verdict: verdictOf({ score, ownScore }, basis), score, reasons };
}

/** Brings the sum into 0 to 100, as a reason of its own, so that the reasons always add up to the score. */
function clampOf(reasons: readonly Reason[]): Reason[] {
  const sum = sumOf(reasons);
  const score = Math.min(100, Math.max(0, sum));
  if (score === sum) return [];
  const bound = sum > 100 ? 'no more than 100' : 'no less than 0';
  const sentence = `The reasons add up to ${sum}; the score is ${bound}.`;
  return [{ code: 'clamp', points: score - sum, sentence, refs: [] }];
}

function sumOf(reasons: readonly Reason[]): number {
  return reasons.reduce((sum, { points }) => sum + points, 0);
}

const TECHNICAL = ['device_integrity', 'monitoring'];

function verdictOf(
  { score, ownScore }: { score: number; ownScore: number },
  basis: ClassificationBasis,
): TriageVerdict {
  const { file, correlation } = basis;
  const isTechnical =
    file.incidents.length > 0 && file.incidents.every(({ category }) => TECHNICAL.includes(category));
  if (isTechnical && (correlation.harmful === 0 || file.alerts.length === 0)) return 'technical';
  const isJudged = file.events.length > 0 || file.scans.some(({ status }) => status === 'completed');
  // Nothing to judge by is no all-clear.
  if (!isJudged) return 'unclear';
  if (score >= BANDS.genuineFrom) return 'likely_genuine';
  // What other cases were can make this one unclear, not a false alarm; nor can a correction of what stands elsewhere.
  const isFalse = score <= BANDS.falseUpTo && ownScore <= BANDS.falseUpTo && !standsElsewhere(basis);
  return isFalse ? 'likely_false' : 'unclear';
}

import type { Finding } from '../finding.ts';

/** Detectors are not independent of each other, so without an indicator no number of them makes certain. */
const CAP = 0.99;

/**
 * Joins the probabilities of findings: noisy-or, capped. No finding lowers another, so a benign prior inside a model can
 * never outweigh an indicator.
 */
export function combineConfidence(
  findings: readonly Pick<Finding, 'confidence' | 'minimumVerdict'>[],
): number {
  const surest = findings.reduce((most, { confidence }) => Math.max(most, confidence), 0);
  const noneHolds = findings.reduce((product, { confidence }) => product * (1 - confidence), 1);
  return Math.max(surest, Math.min(CAP, 1 - noneHolds));
}

/** Set by hand: what is left between many independent looks (1) and none at all. See the measurements in docs/detection.md. */
const SLOPE = 1.5;

/**
 * Weighs the worst of many looks. The models were calibrated on messages and single links; of a thousand windows of an honest
 * document, or of thirty honest links, one looks odd. So the odds fall with the number of looks beyond those that a
 * message has.
 *
 * @param usual how many looks leave the probability as it is
 */
export function correctForMultiplicity(
  probability: number,
  { looks, usual }: { looks: number; usual: number },
): number {
  if (looks <= usual || probability >= 1) return probability;
  const odds = (probability / (1 - probability)) * (usual / looks) ** SLOPE;
  return odds / (1 + odds);
}

/** Gives a finding of a model another confidence. What asks for a verdict by itself is as sure as it says, wherever it stands. */
export function rescaleFinding(finding: Finding, doubt: (confidence: number) => number): Finding {
  return finding.minimumVerdict === undefined
    ? { ...finding, confidence: doubt(finding.confidence) }
    : finding;
}

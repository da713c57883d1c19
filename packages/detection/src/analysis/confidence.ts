import type { Finding } from '../finding.ts';

/** Detectors are not independent of each other, so no number of them is certain without an indicator. */
const CAP = 0.99;

/**
 * Combines the probabilities of findings: noisy-or, capped. A finding never lowers the result, so a benign
 * prior inside a model cannot outweigh an indicator.
 */
export function combineConfidence(
  findings: readonly Pick<Finding, 'confidence' | 'minimumVerdict'>[],
): number {
  const highest = findings.reduce((max, { confidence }) => Math.max(max, confidence), 0);
  const noneHolds = findings.reduce((product, { confidence }) => product * (1 - confidence), 1);
  return Math.max(highest, Math.min(CAP, 1 - noneHolds));
}

/** The words of a message, even one that is padded to hide its bait; benign documents have more. */
export const USUAL_WORDS = 250;

/**
 * Set by hand: 1 would treat the attempts as independent, 0 would ignore their number. See the measurements
 * in docs/detection.md.
 */
const SLOPE = 1.5;

/**
 * Corrects the highest of several probabilities for their number. The models are calibrated on messages and
 * single links; among a thousand windows of a benign document, or thirty benign links, one looks suspicious
 * by chance. So the odds fall with the number beyond that of a usual message.
 *
 * @param usual the number up to which the probability stays as it is
 */
export function correctForMultiplicity(
  probability: number,
  { looks, usual }: { looks: number; usual: number },
): number {
  if (looks <= usual || probability >= 1) return probability;
  const odds = (probability / (1 - probability)) * (usual / looks) ** SLOPE;
  return odds / (1 + odds);
}

/**
 * Rescales the confidence of a model's finding. A finding with a minimum verdict keeps its confidence in any
 * context.
 */
export function rescaleFinding(finding: Finding, doubt: (confidence: number) => number): Finding {
  return finding.minimumVerdict === undefined
    ? { ...finding, confidence: doubt(finding.confidence) }
    : finding;
}

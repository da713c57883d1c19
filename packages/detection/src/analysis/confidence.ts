import type { Finding } from '../finding.ts';

/** Detectors are not independent of each other, so no number of them is certain without an indicator. */
const CAP = 0.99;

/**
 * The share of threats. The models are calibrated for a quarter. With a quarter here, two points fewer of phishing mails are
 * warned of than with a fifth, and of honest messages with a link to a page as many.
 */
const PRIOR = 0.2;

type WeighedFinding = Pick<Finding, 'confidence'> & Partial<Pick<Finding, 'detector' | 'minimumVerdict'>>;

/**
 * Combines the probabilities of findings: noisy-or, capped. A finding never lowers the result, so a benign
 * prior inside a model cannot outweigh an indicator.
 *
 * The models of words and links are joined first. Each gives a share of threats as its probability, so noisy-or alone would
 * count that share twice: a link just below its threshold beside words that say nothing would be a warning.
 */
export function combineConfidence(findings: readonly WeighedFinding[]): number {
  const words = highestOf(findings, 'text_model');
  const link = highestOf(findings, 'url_model');
  const joined = joinModels(words?.confidence ?? 0, link?.confidence ?? 0);
  const others = findings.filter((finding) => finding !== words && finding !== link);
  const highest = others.reduce((max, { confidence }) => Math.max(max, confidence), joined);
  const noneHolds = others.reduce((product, { confidence }) => product * (1 - confidence), 1 - joined);
  return Math.max(highest, Math.min(CAP, 1 - noneHolds));
}

function highestOf(
  findings: readonly WeighedFinding[],
  detector: Finding['detector'],
): WeighedFinding | undefined {
  return findings.reduce<WeighedFinding | undefined>(
    (best, finding) =>
      finding.detector === detector && finding.confidence >= (best?.confidence ?? 0) ? finding : best,
    undefined,
  );
}

/** Two parts need evidence in common: at most noisy-or, and at most what naive Bayes makes of both. */
function joinModels(words: number, link: number): number {
  const noisyOr = 1 - (1 - words) * (1 - link);
  const both = oddsOf(words) * oddsOf(link) * ((1 - PRIOR) / PRIOR);
  const bayes = Number.isFinite(both) ? both / (1 + both) : 1;
  return Math.max(words, link, Math.min(CAP, noisyOr, bayes));
}

function oddsOf(probability: number): number {
  return probability / (1 - probability);
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

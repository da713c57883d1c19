import type { Finding } from './finding.ts';

/** Detectors are not independent of each other, so without an indicator no number of them makes certain. */
const CAP = 0.99;

/**
 * Joins the probabilities of findings: noisy-or, capped. No finding lowers another, so a benign prior inside a model can
 * never outweigh an indicator.
 */
export function fuse(findings: readonly Pick<Finding, 'confidence' | 'asksFor'>[]): number {
  const surest = findings.reduce((most, { confidence }) => Math.max(most, confidence), 0);
  const noneHolds = findings.reduce((product, { confidence }) => product * (1 - confidence), 1);
  return Math.max(surest, Math.min(CAP, 1 - noneHolds));
}

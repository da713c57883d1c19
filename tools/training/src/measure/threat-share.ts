import type { ScoredRow } from './metrics.ts';

/**
 * The share of threats among links, and among texts, for which probabilities are calibrated. It is the same
 * for both, so that the probability of a text and those of its links can be combined.
 */
export const THREAT_SHARE = 0.25;

/** Weights threats so that they have the share for which probabilities are calibrated. Benign rows keep their weight. */
export function atThreatShare<T extends ScoredRow>(scored: readonly T[]): (T & ScoredRow)[] {
  const threats = scored.filter(({ threat }) => threat).length;
  const benign = scored.reduce((sum, row) => sum + (row.threat ? 0 : (row.weight ?? 1)), 0);
  const weight = ((THREAT_SHARE / (1 - THREAT_SHARE)) * benign) / threats;
  return scored.map((row) => (row.threat ? { ...row, weight } : row));
}

import type { ScoredRow } from './metrics.ts';

/**
 * Of a hundred links, and of a hundred texts, so many are threats where probabilities hold: the same for both, so that the
 * probability of a text and that of its links can be joined.
 */
export const THREAT_SHARE = 0.25;

/** Weighs threats so that they have the share which probabilities assume. */
export function atThreatShare<T extends ScoredRow>(scored: readonly T[]): (T & ScoredRow)[] {
  const threats = scored.filter(({ threat }) => threat).length;
  const weight = ((THREAT_SHARE / (1 - THREAT_SHARE)) * (scored.length - threats)) / threats;
  return scored.map((row) => (row.threat ? { ...row, weight } : row));
}

/** A model's score for a row with a known label. */
export interface ScoredRow {
  readonly score: number;
  readonly threat: boolean;
  /** How often the row counts; 1 by default. */
  readonly weight?: number;
}

export interface Metrics {
  readonly threats: number;
  readonly benign: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** Returns precision, recall and F1 if every score at or above the threshold counts as a threat. */
export function measureAt(scored: readonly ScoredRow[], threshold: number): Metrics {
  let hits = 0;
  let falseAlarms = 0;
  let threats = 0;
  for (const { score, threat } of scored) {
    if (threat) threats += 1;
    if (score < threshold) continue;
    if (threat) hits += 1;
    else falseAlarms += 1;
  }
  const precision = hits / (hits + falseAlarms);
  const recall = hits / threats;
  return {
    threats,
    benign: scored.length - threats,
    precision,
    recall,
    f1: (2 * hits) / (hits + falseAlarms + threats),
  };
}

/** Returns the share of rows at or above the threshold. NaN without rows or threshold. */
export function shareAtOrAbove(scores: readonly number[], threshold: number): number {
  if (Number.isNaN(threshold)) return Number.NaN;
  return scores.filter((score) => score >= threshold).length / scores.length;
}

/** Returns the lowest threshold that at most this share of the benign rows reaches. */
export function thresholdAt(benign: readonly number[], falsePositiveRate: number): number {
  const sorted = Float64Array.from(benign).sort().reverse();
  const allowed = Math.floor(sorted.length * falsePositiveRate);
  const first = sorted[allowed];
  if (first === undefined) return Number.NEGATIVE_INFINITY;
  const above = sorted.subarray(0, allowed).findLast((score) => score > first);
  return above ?? first + Math.max(Number.EPSILON, Math.abs(first) * Number.EPSILON * 2);
}

/**
 * Returns the area under the receiver operating curve: how often a threat scores above a benign row. Ties
 * count half.
 */
export function areaUnderCurve(scored: readonly ScoredRow[]): number {
  const sorted = [...scored].sort((one, other) => one.score - other.score);
  let rankSum = 0;
  let threats = 0;
  for (let start = 0; start < sorted.length; ) {
    const score = sorted[start]?.score;
    let end = start;
    let tied = 0;
    for (; end < sorted.length && sorted[end]?.score === score; end += 1) if (sorted[end]?.threat) tied += 1;
    rankSum += tied * ((start + 1 + end) / 2);
    threats += tied;
    start = end;
  }
  return (rankSum - (threats * (threats + 1)) / 2) / (threats * (sorted.length - threats));
}

/**
 * Returns the expected calibration error: the difference between probabilities and frequencies, over ten
 * equal steps of probability.
 */
export function calibrationError(scored: readonly ScoredRow[]): number {
  const bins = Array.from({ length: 10 }, () => ({ said: 0, came: 0, weight: 0 }));
  let total = 0;
  for (const { score, threat, weight = 1 } of scored) {
    const bin = bins[Math.min(9, Math.floor(score * 10))];
    if (!bin) continue;
    bin.said += score * weight;
    bin.came += threat ? weight : 0;
    bin.weight += weight;
    total += weight;
  }
  return bins.reduce((sum, { said, came }) => sum + Math.abs(said - came), 0) / total;
}

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

/** Returns the lowest threshold that at most this share of the benign rows reaches. */
export function thresholdAt(benign: readonly number[], falsePositiveRate: number): number {
  const sorted = Float64Array.from(benign).sort().reverse();
  const allowed = Math.floor(sorted.length * falsePositiveRate);
  const first = sorted[allowed];
  if (first === undefined) return Number.NEGATIVE_INFINITY;
  const above = sorted.subarray(0, allowed).findLast((score) => score > first);
  return above ?? first + Math.max(Number.EPSILON, Math.abs(first) * Number.EPSILON * 2);
}

import type { ScoredRow } from './metrics.ts';
import { THREAT_SHARE } from './threat-share.ts';

/** How often each row counts, by its position among all rows. */
export type Weights = Float64Array;

/**
 * Rows by falling score, as arrays: a bootstrap measures the same rows hundreds of times, each time with
 * other weights.
 */
export interface RankedRows {
  readonly scores: Float64Array;
  readonly threats: Uint8Array;
  /** The position of each row among all rows, and so of its weight. */
  readonly places: Uint32Array;
}

/** Ranks the rows that are selected; all by default. */
export function rank<T extends ScoredRow>(
  rows: readonly T[],
  isSelected: (row: T) => boolean = () => true,
): RankedRows {
  const selected = rows
    .map((row, place) => ({ row, place }))
    .filter(({ row }) => isSelected(row))
    .sort((one, other) => other.row.score - one.row.score);
  return {
    scores: Float64Array.from(selected, ({ row }) => row.score),
    threats: Uint8Array.from(selected, ({ row }) => Number(row.threat)),
    places: Uint32Array.from(selected, ({ place }) => place),
  };
}

/** Ranks the rows of each group; a row can be in several. Groups are in the order of their names. */
export function rankGroups<T extends ScoredRow>(
  rows: readonly T[],
  namesOf: (row: T) => readonly string[],
): ReadonlyMap<string, RankedRows> {
  const names = [...new Set(rows.flatMap(namesOf))].sort();
  return new Map(names.map((name) => [name, rank(rows, (row) => namesOf(row).includes(name))]));
}

/** Returns the share of rows at or above the threshold. NaN without rows or threshold. */
export function shareAt(ranking: RankedRows, threshold: number, weights: Weights): number {
  if (Number.isNaN(threshold)) return Number.NaN;
  const { hits, falseAlarms, threats, benign } = countAt(ranking, threshold, weights);
  return (hits + falseAlarms) / (threats + benign);
}

/** Returns precision, recall and F1 if every score at or above the threshold counts as a threat. */
export function precisionAt(ranking: RankedRows, threshold: number, weights: Weights) {
  const { hits, falseAlarms, threats } = countAt(ranking, threshold, weights);
  return {
    precision: hits / (hits + falseAlarms),
    recall: hits / threats,
    f1: (2 * hits) / (hits + falseAlarms + threats),
  };
}

function countAt({ scores, threats, places }: RankedRows, threshold: number, weights: Weights) {
  // By label: benign rows first.
  const reached = [0, 0];
  const total = [0, 0];
  for (let at = 0; at < scores.length; at += 1) {
    const side = threats[at] as number;
    const weight = weights[places[at] as number] as number;
    total[side] = (total[side] as number) + weight;
    if ((scores[at] as number) >= threshold) reached[side] = (reached[side] as number) + weight;
  }
  const [falseAlarms = 0, hits = 0] = reached;
  const [benign = 0, bad = 0] = total;
  return { hits, falseAlarms, threats: bad, benign };
}

/** Returns the lowest threshold that at most this share of the rows reaches. */
export function thresholdFor({ scores, places }: RankedRows, share: number, weights: Weights): number {
  let total = 0;
  for (const place of places) total += weights[place] as number;
  const allowed = Math.floor(total * share);
  let threshold: number | undefined;
  let reached = 0;
  for (let start = 0; start < scores.length; ) {
    const score = scores[start] as number;
    let end = start;
    for (; end < scores.length && scores[end] === score; end += 1)
      reached += weights[places[end] as number] as number;
    if (reached > allowed)
      return threshold ?? score + Math.max(Number.EPSILON, Math.abs(score) * Number.EPSILON * 2);
    threshold = score;
    start = end;
  }
  return Number.NEGATIVE_INFINITY;
}

/**
 * Returns the area under the receiver operating curve: how often a threat scores above a benign row. Ties
 * count half.
 */
export function areaUnderCurve({ scores, threats, places }: RankedRows, weights: Weights): number {
  let ordered = 0;
  let above = 0;
  let benign = 0;
  for (let start = 0; start < scores.length; ) {
    const tied = [0, 0];
    let end = start;
    for (; end < scores.length && scores[end] === scores[start]; end += 1) {
      const side = threats[end] as number;
      tied[side] = (tied[side] as number) + (weights[places[end] as number] as number);
    }
    const [good = 0, bad = 0] = tied;
    ordered += good * (above + bad / 2);
    above += bad;
    benign += good;
    start = end;
  }
  return ordered / (above * benign);
}

const STEPS = 10;

/**
 * Returns the expected calibration error: the difference between probabilities and frequencies, over ten
 * equal steps of probability, with threats weighted to the share for which probabilities are calibrated.
 */
export function calibrationError(ranking: RankedRows, weights: Weights): number {
  const { scores, threats, places } = ranking;
  const { threats: bad, benign } = countAt(ranking, 0, weights);
  const ofThreat = ((THREAT_SHARE / (1 - THREAT_SHARE)) * benign) / bad;
  const difference = new Float64Array(STEPS);
  for (let at = 0; at < scores.length; at += 1) {
    const score = scores[at] as number;
    const threat = threats[at] as number;
    const weight = (weights[places[at] as number] as number) * (threat === 1 ? ofThreat : 1);
    const step = Math.min(STEPS - 1, Math.floor(score * STEPS));
    difference[step] = (difference[step] as number) + (score - threat) * weight;
  }
  return difference.reduce((sum, each) => sum + Math.abs(each), 0) / (benign + bad * ofThreat);
}

/** How often a score of a model turned out right: straight lines between points, rising in both. */
export interface Calibration {
  readonly scores: Float32Array;
  readonly probabilities: Float32Array;
}

/** Turns a raw score into a probability. A higher score never gives a lower one. */
export function calibrate({ scores, probabilities }: Calibration, score: number): number {
  const last = scores.length - 1;
  if (!(score > (scores[0] as number))) return probabilities[0] as number;
  if (score >= (scores[last] as number)) return probabilities[last] as number;
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((scores[middle] as number) <= score) low = middle;
    else high = middle;
  }
  const from = scores[low] as number;
  const share = (score - from) / ((scores[high] as number) - from);
  const start = probabilities[low] as number;
  return start + share * ((probabilities[high] as number) - start);
}

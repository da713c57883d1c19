/** The measured probability for each score of a model: straight lines between points that rise in both. */
export interface Calibration {
  readonly scores: Float32Array;
  readonly probabilities: Float32Array;
}

/** Converts a raw score to a probability. A higher score never gets a lower probability. */
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

import type { Examples } from './examples.ts';

/** Smoothing: a feature that occurred once on one side is not reliable evidence. */
const SMOOTHING = 1;
/** The share of each factor that is applied: the full factor overrates chance. */
const SHARE = 0.5;

/**
 * Returns a factor for each feature by how much more frequent it is in threats than in benign examples or the
 * reverse: log-count ratios, after naive Bayes (Wang and Manning, 2012), scaled to a mean of 1.
 */
export function countRatios(examples: Examples, size: number): Float32Array {
  const { threats, benign } = count(examples, size);
  const ratios = new Float32Array(size);
  let sum = 0;
  let seen = 0;
  for (let at = 0; at < size; at += 1) {
    const [bad, good] = [threats.counts[at] as number, benign.counts[at] as number];
    ratios[at] = Math.abs(Math.log((bad + SMOOTHING) / threats.total / ((good + SMOOTHING) / benign.total)));
    if (bad + good === 0) continue;
    sum += ratios[at] as number;
    seen += 1;
  }
  const mean = sum / Math.max(1, seen) || 1;
  return ratios.map((ratio) => 1 - SHARE + (SHARE * ratio) / mean);
}

/** Returns the total weight of each side, and how much of it has each feature. */
function count(examples: Examples, size: number) {
  const threats = { counts: new Float32Array(size), total: SMOOTHING };
  const benign = { counts: new Float32Array(size), total: SMOOTHING };
  const seenIn = new Int32Array(size).fill(-1);
  for (let example = 0; example < examples.length; example += 1) {
    const side = examples.threats[example] ? threats : benign;
    const weight = examples.weights[example] as number;
    side.total += weight;
    const end = examples.offsets[example + 1] as number;
    for (let each = examples.offsets[example] as number; each < end; each += 1) {
      const at = examples.indices[each] as number;
      if (seenIn[at] === example) continue;
      seenIn[at] = example;
      side.counts[at] = (side.counts[at] as number) + weight;
    }
  }
  return { threats, benign };
}

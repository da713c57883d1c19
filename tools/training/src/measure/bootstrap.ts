import { createRandom } from '../rows/split.ts';
import type { Weights } from './ranking.ts';

export type Figures = Readonly<Record<string, number>>;

/** The bounds of the middle 95 % of a figure over all resamples. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface MeasuredFigures {
  readonly figures: Figures;
  /** By the name of the figure. */
  readonly intervals: Readonly<Record<string, Interval>>;
}

/** The number of resamples: with more, the bounds of an interval change by less than a tenth of its width. */
const RESAMPLES = 300;
const SEED = 29;
const TAIL = 0.025;

/**
 * Measures figures with confidence intervals of 95 %, by the percentile bootstrap (Efron, 1979). It draws
 * whole clusters with replacement, because rows of one cluster, such as the links of a domain, are not
 * independent. The same rows return the same intervals.
 *
 * @param clusters the cluster of each row
 * @param measure returns the figures if each row counts as often as its weight says
 */
export function measureWithIntervals(
  clusters: readonly string[],
  measure: (weights: Weights) => Figures,
): MeasuredFigures {
  const figures = measure(new Float64Array(clusters.length).fill(1));
  const { clusterOf, count } = numberClusters(clusters);
  const random = createRandom(SEED);
  const drawn = new Float64Array(count);
  const weights = new Float64Array(clusters.length);
  const samples = Array.from({ length: RESAMPLES }, () => {
    drawn.fill(0);
    for (let draw = 0; draw < count; draw += 1) {
      const cluster = Math.floor(random() * count);
      drawn[cluster] = (drawn[cluster] as number) + 1;
    }
    for (let at = 0; at < weights.length; at += 1) weights[at] = drawn[clusterOf[at] as number] as number;
    return measure(weights);
  });
  const intervals = Object.fromEntries(
    Object.keys(figures).map((name) => [
      name,
      toInterval(samples.map((sample) => sample[name] ?? Number.NaN)),
    ]),
  );
  return { figures, intervals };
}

function numberClusters(clusters: readonly string[]): { clusterOf: Uint32Array; count: number } {
  const numbers = new Map<string, number>();
  const clusterOf = Uint32Array.from(clusters, (cluster) => {
    const number = numbers.get(cluster) ?? numbers.size;
    numbers.set(cluster, number);
    return number;
  });
  return { clusterOf, count: numbers.size };
}

/** A resample without any row of a small group has no figure for it. */
function toInterval(values: readonly number[]): Interval {
  const sorted = Float64Array.from(values.filter((value) => !Number.isNaN(value))).sort();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  return { low: at(TAIL), high: at(1 - TAIL) };
}

import { DURATION_CLASSES } from '../../database/tables/index.ts';

export { DURATION_CLASSES } from '../../database/tables/index.ts';

type DurationClass = (typeof DURATION_CLASSES)[number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The upper bound of each class, inclusive. The last has none. */
const BOUNDS_MS: Readonly<Record<DurationClass, number>> = {
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': DAY_MS,
  '3d': 3 * DAY_MS,
  '7d': 7 * DAY_MS,
  longer: Number.POSITIVE_INFINITY,
};

export function durationClassOf(durationMs: number): DurationClass {
  return DURATION_CLASSES.find((name) => durationMs <= BOUNDS_MS[name]) ?? 'longer';
}

/** Returns the upper bound of a class in seconds; null for the last. */
export function upToSeconds(name: DurationClass): number | null {
  return name === 'longer' ? null : BOUNDS_MS[name] / 1000;
}

/**
 * Estimates a quantile in seconds from the counts of the classes, linearly within a class. In the last class, which has no
 * end, it is where the class begins. Null if nothing was counted.
 */
export function quantileSeconds(counts: readonly number[], quantile: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  let startMs = 0;
  for (const [index, count] of counts.entries()) {
    const endMs = BOUNDS_MS[DURATION_CLASSES[index] ?? 'longer'];
    if (below + count >= quantile * total && count > 0) {
      if (endMs === Number.POSITIVE_INFINITY) return startMs / 1000;
      const share = (quantile * total - below) / count;
      return Math.round((startMs + share * (endMs - startMs)) / 1000);
    }
    below += count;
    startMs = endMs;
  }
  return startMs / 1000;
}

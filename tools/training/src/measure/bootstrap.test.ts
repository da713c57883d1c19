import { expect, test } from 'vitest';
import { createRandom } from '../rows/split.ts';
import { measureWithIntervals } from './bootstrap.ts';
import { rank, shareAt } from './ranking.ts';

const COUNT = 1000;
const random = createRandom(11);
/** Three in ten reach 0.5. */
const rows = Array.from({ length: COUNT }, () => ({ score: random() < 0.3 ? 1 : 0, threat: true }));
const ranking = rank(rows);
const share = (weights: Float64Array) => ({ share: shareAt(ranking, 0.5, weights) });

test('the interval of a share is that of the binomial distribution, and the same each time', () => {
  const clusters = rows.map((_, at) => String(at));
  const { figures, intervals } = measureWithIntervals(clusters, share);
  const value = figures.share ?? Number.NaN;
  const halfWidth = 1.96 * Math.sqrt((value * (1 - value)) / COUNT);
  expect(intervals.share?.low).toBeCloseTo(value - halfWidth, 2);
  expect(intervals.share?.high).toBeCloseTo(value + halfWidth, 2);
  expect(measureWithIntervals(clusters, share).intervals).toEqual(intervals);
});

test('the interval is wider if the rows of a cluster are alike', () => {
  const sorted = rows.map(({ score }) => score).sort();
  const alike = rank(sorted.map((score) => ({ score, threat: true })));
  const width = (clusters: readonly string[]) => {
    const { intervals } = measureWithIntervals(clusters, (weights) => ({
      share: shareAt(alike, 0.5, weights),
    }));
    return (intervals.share?.high ?? 0) - (intervals.share?.low ?? 0);
  };
  const alone = width(sorted.map((_, at) => String(at)));
  const together = width(sorted.map((_, at) => String(Math.floor(at / 20))));
  expect(together).toBeGreaterThan(3 * alone);
});

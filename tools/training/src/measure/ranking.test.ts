import { expect, test } from 'vitest';
import { createRandom } from '../rows/split.ts';
import { measureAt, thresholdAt } from './metrics.ts';
import {
  areaUnderCurve,
  calibrationError,
  precisionAt,
  rank,
  rankGroups,
  shareAt,
  thresholdFor,
} from './ranking.ts';

const ones = (count: number) => new Float64Array(count).fill(1);

const scored = [
  { score: 0.9, threat: true },
  { score: 0.8, threat: false },
  { score: 0.7, threat: true },
  { score: 0.3, threat: false },
  { score: 0.2, threat: true },
];

/** Scores with many ties. */
function someRows(count: number) {
  const random = createRandom(3);
  return Array.from({ length: count }, () => ({
    score: Math.round(random() * 40) / 40,
    threat: random() < 0.4,
  }));
}

test('with a weight of 1 for each row, figures equal those of plain rows', () => {
  const rows = someRows(500);
  const ranking = rank(rows);
  const scores = rows.map(({ score }) => score);
  for (const share of [0, 0.001, 0.01, 0.1, 0.5]) {
    const threshold = thresholdFor(ranking, share, ones(500));
    expect(threshold).toBe(thresholdAt(scores, share));
    const reached = scores.filter((score) => score >= threshold).length;
    expect(shareAt(ranking, threshold, ones(500))).toBe(reached / 500);
    expect(measureAt(rows, threshold)).toMatchObject(precisionAt(ranking, threshold, ones(500)));
  }
});

test('a weight of 2 counts as two equal rows, and a weight of 0 as none', () => {
  const rows = someRows(300);
  const random = createRandom(4);
  const weights = Float64Array.from(rows, () => Math.floor(random() * 3));
  const written = rows.flatMap((row, at) => Array.from({ length: weights[at] as number }, () => row));
  const [weighted, plain] = [rank(rows), rank(written)];
  const all = ones(written.length);
  const threshold = thresholdFor(weighted, 0.1, weights);
  expect(threshold).toBe(thresholdFor(plain, 0.1, all));
  expect(shareAt(weighted, threshold, weights)).toBeCloseTo(shareAt(plain, threshold, all));
  expect(areaUnderCurve(weighted, weights)).toBeCloseTo(areaUnderCurve(plain, all));
  expect(calibrationError(weighted, weights)).toBeCloseTo(calibrationError(plain, all));
});

test('the area under the curve is the share of ordered pairs, ties count half', () => {
  expect(areaUnderCurve(rank(scored), ones(5))).toBeCloseTo(3 / 6);
  const tied = [
    { score: 1, threat: true },
    { score: 1, threat: false },
  ];
  expect(areaUnderCurve(rank(tied), ones(2))).toBe(0.5);
});

test('the calibration error is the distance between predictions and outcomes', () => {
  // A quarter of the rows are threats, as probabilities are calibrated for.
  const rows = [
    ...Array.from({ length: 4 }, (_, at) => ({ score: 0.25, threat: at === 0 })),
    ...Array.from({ length: 4 }, (_, at) => ({ score: 0.45, threat: at === 0 })),
  ];
  expect(calibrationError(rank(rows), ones(8))).toBeCloseTo((0 + 0.2 * 4) / 8);
});

test('a row can be in several groups, and a group without rows has no share', () => {
  const groups = rankGroups(scored, ({ threat }) => (threat ? ['threats', 'all'] : ['all']));
  expect([...groups.keys()]).toEqual(['all', 'threats']);
  expect(shareAt(groups.get('threats') ?? rank([]), 0.5, ones(5))).toBeCloseTo(2 / 3);
  expect(shareAt(rank([]), 0.5, ones(0))).toBeNaN();
});

import { expect, test } from 'vitest';
import { areaUnderCurve, calibrationError, measureAt, shareAtOrAbove, thresholdAt } from './metrics.ts';

const scored = [
  { score: 0.9, threat: true },
  { score: 0.8, threat: false },
  { score: 0.7, threat: true },
  { score: 0.3, threat: false },
  { score: 0.2, threat: true },
];

test('precision, recall and F1 count rows at or above the threshold', () => {
  expect(measureAt(scored, 0.7)).toEqual({
    threats: 3,
    benign: 2,
    precision: 2 / 3,
    recall: 2 / 3,
    f1: 2 / 3,
  });
});

test('the area under the curve is the share of ordered pairs, ties count half', () => {
  expect(areaUnderCurve(scored)).toBeCloseTo(3 / 6);
  expect(
    areaUnderCurve([
      { score: 1, threat: true },
      { score: 1, threat: false },
    ]),
  ).toBe(0.5);
});

test('at most its share of the benign reaches a threshold, also among ties', () => {
  const benign = Array.from({ length: 1000 }, (_, at) => at);
  expect(thresholdAt(benign, 0.01)).toBe(990);
  const tied = [...Array.from({ length: 90 }, () => 0.1), ...Array.from({ length: 10 }, () => 0.5)];
  expect(shareAtOrAbove(tied, thresholdAt(tied, 0.05))).toBe(0);
  expect(shareAtOrAbove(tied, thresholdAt(tied, 0.1))).toBe(0.1);
  expect(shareAtOrAbove(tied, Number.NaN)).toBeNaN();
});

test('the calibration error is the distance between predictions and outcomes', () => {
  const rows = [
    ...Array.from({ length: 4 }, (_, at) => ({ score: 0.25, threat: at === 0 })),
    ...Array.from({ length: 4 }, (_, at) => ({ score: 0.75, threat: at < 2 })),
  ];
  expect(calibrationError(rows)).toBeCloseTo((0 + 0.25 * 4) / 8);
});

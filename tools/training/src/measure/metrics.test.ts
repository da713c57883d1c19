import { expect, test } from 'vitest';
import { measureAt, thresholdAt } from './metrics.ts';

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

test('at most its share of the benign reaches a threshold, also among ties', () => {
  const benign = Array.from({ length: 1000 }, (_, at) => at);
  expect(thresholdAt(benign, 0.01)).toBe(990);
  const tied = [...Array.from({ length: 90 }, () => 0.1), ...Array.from({ length: 10 }, () => 0.5)];
  expect(thresholdAt(tied, 0.05)).toBeGreaterThan(0.5);
  expect(thresholdAt(tied, 0.1)).toBe(0.5);
});

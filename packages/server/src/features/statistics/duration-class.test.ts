import { expect, test } from 'vitest';
import { DURATION_CLASSES, durationClassOf, quantileSeconds, upToSeconds } from './duration-class.ts';

const MINUTE_MS = 60_000;

test('a duration belongs to the first class that it does not exceed', () => {
  expect([0, 5 * MINUTE_MS, 5 * MINUTE_MS + 1, 60 * MINUTE_MS, 8 * 86_400_000].map(durationClassOf)).toEqual([
    '5m',
    '5m',
    '15m',
    '1h',
    'longer',
  ]);
  expect(DURATION_CLASSES.map(upToSeconds)).toEqual([
    300,
    900,
    3_600,
    14_400,
    86_400,
    259_200,
    604_800,
    null,
  ]);
});

test('a quantile lies within its class, in proportion to the counts', () => {
  expect(quantileSeconds([10, 0, 0, 0, 0, 0, 0, 0], 0.5)).toBe(150);
  expect(quantileSeconds([1, 1, 0, 0, 0, 0, 0, 0], 0.5)).toBe(300);
  expect(quantileSeconds([1, 1, 0, 0, 0, 0, 0, 0], 0.9)).toBe(780);
  expect(quantileSeconds([1, 0, 0, 0, 0, 0, 0, 1], 0.9)).toBe(604_800);
  expect(quantileSeconds([0, 0, 0, 0, 0, 0, 0, 0], 0.5)).toBeNull();
});

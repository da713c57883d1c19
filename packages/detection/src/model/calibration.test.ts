import { expect, test } from 'vitest';
import { calibrate } from './calibration.ts';

const calibration = {
  scores: Float32Array.of(-2, 0, 2),
  probabilities: Float32Array.of(0.25, 0.5, 1),
};

test('a probability is interpolated between points, and constant beyond the ends', () => {
  expect([-9, -2, -1, 0, 1, 2, 9].map((score) => calibrate(calibration, score))).toEqual([
    0.25, 0.25, 0.375, 0.5, 0.75, 1, 1,
  ]);
});

test('a score that is not a number counts as the lowest', () => {
  expect(calibrate(calibration, Number.NaN)).toBe(0.25);
});

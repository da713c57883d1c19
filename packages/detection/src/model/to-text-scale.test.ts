import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toTextScale } from './to-text-scale.ts';

const thresholds = { url: { warn: 0.9, block: 0.98 }, text: { warn: 0.4, block: 0.95 } };

test('a link at a threshold of links is at the same threshold of texts', () => {
  expect(toTextScale(0, thresholds)).toBe(0);
  expect(toTextScale(0.45, thresholds)).toBeCloseTo(0.2);
  expect(toTextScale(0.9, thresholds)).toBe(0.4);
  expect(toTextScale(0.98, thresholds)).toBe(0.95);
  expect(toTextScale(1, thresholds)).toBe(1);
});

test('the order of two links stays the same', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, share, (one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      expect(toTextScale(less, thresholds)).toBeLessThanOrEqual(toTextScale(more, thresholds) + 1e-12);
    }),
  );
});

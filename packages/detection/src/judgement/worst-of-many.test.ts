import fc from 'fast-check';
import { expect, test } from 'vitest';
import { worstOfMany } from './worst-of-many.ts';

test('as many looks as usual leave a probability as it is', () => {
  expect(worstOfMany(0.9, { looks: 3, usual: 3 })).toBe(0.9);
  expect(worstOfMany(1, { looks: 300, usual: 3 })).toBe(1);
});

test('four times as many looks as usual leave an eighth of the odds', () => {
  expect(worstOfMany(0.9, { looks: 12, usual: 3 })).toBeCloseTo(9 / 8 / (1 + 9 / 8));
});

test('more looks never raise it, and it stays a probability', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, fc.nat(10_000), fc.nat(10_000), (probability, some, more) => {
      const fewer = worstOfMany(probability, { looks: some, usual: 3 });
      const many = worstOfMany(probability, { looks: some + more, usual: 3 });
      expect(many).toBeLessThanOrEqual(fewer + 1e-12);
      expect(many).toBeGreaterThanOrEqual(0);
    }),
  );
});

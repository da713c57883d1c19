import { expect, test } from 'vitest';
import { rangeOfBrush, toBars } from './strip-bars.ts';

const HOUR_MS = 3_600_000;
const START = '2026-03-02T08:00:00.000Z';
const range = { since: START, until: '2026-03-02T12:00:00.000Z', nowMs: 0 };

test('hours without items have an empty bar', () => {
  const buckets = [
    { start: START, count: 2 },
    { start: '2026-03-02T10:00:00.000Z', count: 5 },
  ];
  expect(toBars({ buckets, interval: 'hour' }, range).map(({ count }) => count)).toEqual([2, 0, 5, 0]);
});

test('without a range, bars reach from the first bucket until now', () => {
  const bars = toBars(
    { buckets: [{ start: START, count: 1 }], interval: 'hour' },
    { since: undefined, until: undefined, nowMs: Date.parse(START) + 2.5 * HOUR_MS },
  );
  expect(bars.map(({ count }) => count)).toEqual([1, 0, 0]);
});

test('many buckets share bars, and none is lost', () => {
  const buckets = Array.from({ length: 1500 }, (_, hour) => ({
    start: new Date(Date.parse(START) + hour * HOUR_MS).toISOString(),
    count: 1,
  }));
  const until = new Date(Date.parse(START) + 1500 * HOUR_MS).toISOString();
  const bars = toBars({ buckets, interval: 'hour' }, { ...range, until });
  expect(bars.length).toBeLessThanOrEqual(120);
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(1500);
});

test('no items have no bars', () => {
  expect(toBars({ buckets: [], interval: 'day' }, { since: undefined, until: undefined, nowMs: 1 })).toEqual(
    [],
  );
});

test('a brush covers whole bars in either direction', () => {
  const bars = toBars({ buckets: [], interval: 'hour' }, range);
  const chosen = { since: '2026-03-02T09:00:00.000Z', until: '2026-03-02T11:00:00.000Z' };
  expect(rangeOfBrush(bars, { from: 1, to: 2 })).toEqual(chosen);
  expect(rangeOfBrush(bars, { from: 2, to: 1 })).toEqual(chosen);
});

import { expect, test } from 'vitest';
import { describeChart, stacked, withFewerBuckets } from './chart-series.ts';

const series = [
  { label: 'Block', values: [1, 0, 2], color: '--a' },
  { label: 'Warn', values: [0, 3, 1], color: '--b' },
];

test('stacked series rise from the sums of those below', () => {
  expect(stacked(series)).toEqual([
    [1, 0, 2],
    [1, 3, 3],
  ]);
  expect(stacked([])).toEqual([]);
});

test('a chart is described with its range and its totals', () => {
  const startsMs = [0, 1, 2].map((day) => Date.UTC(2026, 2, day + 1));
  const text = describeChart('Events', { startsMs, stepMs: 86_400_000, series });
  expect(text).toContain('Events, ');
  expect(text).toMatch(/: Block 3, Warn 4$/);
  expect(describeChart('Events', { startsMs: [], stepMs: 1, series: [] })).toBe('Events: ');
});

test('neighbouring buckets are joined from the end, and the legend keeps the whole sum', () => {
  const data = {
    startsMs: [0, 1, 2, 3, 4],
    stepMs: 1,
    series: [{ label: 'All', values: [9, 1, 2, 3, 4], color: '' }],
  };
  const { startsMs, stepMs, series: joined } = withFewerBuckets(data, 3);
  expect([startsMs, stepMs]).toEqual([[1, 3], 2]);
  expect(joined).toEqual([{ label: 'All', values: [3, 7], color: '', summary: '19' }]);
  expect(withFewerBuckets(data, 5)).toBe(data);
});

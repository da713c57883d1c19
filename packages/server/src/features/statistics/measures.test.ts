import { STATISTICS_BREAKDOWNS, STATISTICS_MEASURES } from '@tps/contract/vocabulary';
import { expect, test } from 'vitest';
import { sourceOf, sumsToRead } from './measures.ts';
import { STATISTICS_TABLES } from './statistics-columns.ts';
import { toSumSeries, valuesOf } from './sum-series.ts';

const RANGE = { sinceMs: 0, untilMs: 2, bucketMs: 1, count: 2, interval: 'day' } as const;

/** Reads sums of a table whose columns count 1 in the second bucket. */
function readSums(sums: readonly (readonly string[])[]) {
  const found = [{ startMs: 1, sums: sums.map((columns) => columns.length) }];
  return toSumSeries(found, { sums, buckets: RANGE });
}

test.each([
  ['no breakdown', []],
  ['every breakdown', STATISTICS_BREAKDOWNS],
])('the total of each measure is known with %s', (_title, breakdowns) => {
  const wanted = STATISTICS_MEASURES.map((measure) => ({ source: sourceOf(measure, 'day'), breakdowns }));
  const series = new Map(STATISTICS_TABLES.map((table) => [table, readSums(sumsToRead(table, wanted))]));
  for (const { source } of wanted) {
    expect(valuesOf(series.get(source.table) ?? new Map(), source.total)).toEqual([0, source.total.length]);
  }
});

test('a total is not read beside the columns that add up to it', () => {
  const wanted = [{ source: sourceOf('scans', 'day'), breakdowns: ['verdict' as const] }];
  expect(sumsToRead('scan_statistics', wanted)).toEqual([
    ['verdict_allow'],
    ['verdict_warn'],
    ['verdict_block'],
  ]);
});

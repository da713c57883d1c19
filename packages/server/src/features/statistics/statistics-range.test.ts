import { STATISTICS_BUCKET_LIMIT } from '@tps/contract/vocabulary';
import { describe, expect, test } from 'vitest';
import { toBuckets } from './statistics-range.ts';

const NOW_MS = Date.parse('2026-03-10T10:20:00Z');
const toText = ({ sinceMs, untilMs }: { sinceMs: number; untilMs: number }) =>
  [sinceMs, untilMs].map((ms) => new Date(ms).toISOString().slice(0, 16));

describe('a range', () => {
  test.each([
    ['of 7 days ends with the current hour by default', {}, 'hour', '2026-03-03T10:00', '2026-03-10T11:00'],
    [
      'longer than that has days, and both ends are rounded',
      { since: '2026-01-01T10:00:00Z', until: '2026-01-10T00:00:00.001Z' },
      'day',
      '2026-01-01T00:00',
      '2026-01-11T00:00',
    ],
    [
      'is cut to 24 months and the present',
      { since: '1970-01-01T00:00:00Z', until: '2090-01-01T00:00:00Z' },
      'day',
      '2024-03-10T00:00',
      '2026-03-11T00:00',
    ],
    [
      'that ends on a bucket does not include the next one',
      { since: '2026-03-09T00:00:00Z', until: '2026-03-10T00:00:00Z', interval: 'day' as const },
      'day',
      '2026-03-09T00:00',
      '2026-03-10T00:00',
    ],
  ])('%s', (_title, query, interval, since, until) => {
    const buckets = toBuckets(query, NOW_MS);
    expect(buckets.interval).toBe(interval);
    expect(toText(buckets)).toEqual([since, until]);
    expect(buckets.count).toBeLessThanOrEqual(STATISTICS_BUCKET_LIMIT);
  });

  test('that ends before it begins has no buckets', () => {
    const query = { since: '2026-03-02T00:00:00Z', until: '2026-03-01T00:00:00Z' };
    expect(toBuckets(query, NOW_MS).count).toBe(0);
    expect(toBuckets({ since: '2030-01-01T00:00:00Z' }, NOW_MS).count).toBe(0);
  });

  test('with too many hours is refused', () => {
    const query = { since: '2026-02-01T00:00:00Z', interval: 'hour' } as const;
    expect(() => toBuckets(query, NOW_MS)).toThrow('899 hours; at most 750 are allowed');
  });
});

import { expect, test } from 'vitest';
import { fromLocalInput, toLocalInput, toTimeWords, withTimes } from './time-range.ts';

const NOW_MS = Date.parse('2026-03-02T12:00:00.000Z');
const RANGE = [{ name: 'since', label: 'Created', kind: 'time-range' }] as const;

test('a range that moves with the clock is sent as a time', () => {
  expect(withTimes(RANGE, { since: '-24h', severity: 'high' }, NOW_MS)).toEqual({
    since: '2026-03-01T12:00:00.000Z',
    severity: 'high',
  });
});

test('times are sent as they are', () => {
  const query = { since: '2026-03-01T00:00:00.000Z', until: '2026-03-02T00:00:00.000Z' };
  expect(withTimes(RANGE, query, NOW_MS)).toEqual(query);
});

test('a range is shown in words', () => {
  expect(toTimeWords('-24h', undefined)).toBe('Last 24 h');
  expect(toTimeWords('-3h', undefined)).toBe('Last 3 h');
  expect(toTimeWords('not a time', undefined)).toBe('since not a time');
});

test('a time survives the field of the browser', () => {
  const time = '2026-03-02T12:34:00.000Z';
  expect(fromLocalInput(toLocalInput(time))).toBe(time);
  expect(toLocalInput('nonsense')).toBe('');
});

import { expect, test } from 'vitest';
import { toRelative, toUtc } from './time-words.ts';

const NOW_MS = Date.parse('2026-03-02T12:00:00.000Z');

test.each([
  ['2026-03-02T11:59:50.000Z', 'now'],
  ['2026-03-02T11:57:00.000Z', '3 min ago'],
  ['2026-03-02T10:00:00.000Z', '2 h ago'],
  ['2026-02-27T12:00:00.000Z', '3 d ago'],
  ['2026-03-02T14:00:00.000Z', 'in 2 h'],
  [
    '2026-02-01T12:00:00.000Z',
    new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(NOW_MS - 29 * 86_400_000),
  ],
])('%s is %s', (iso, words) => {
  expect(toRelative(iso, NOW_MS)).toBe(words);
});

test('a time is shown in UTC with its zone', () => {
  expect(toUtc('2026-03-02T09:15:04.120Z')).toBe('2026-03-02 09:15:04 UTC');
});

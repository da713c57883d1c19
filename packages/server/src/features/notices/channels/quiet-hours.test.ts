import type { QuietHours } from '@tps/contract';
import { WEEKDAYS } from '@tps/contract/vocabulary';
import { expect, test } from 'vitest';
import { breaksThrough, findQuietEnd, isTimeZone, toQuietHours, toQuietHoursRecord } from './quiet-hours.ts';

function quiet(members: Partial<QuietHours>) {
  const record = toQuietHoursRecord({
    time_zone: 'Europe/Berlin',
    days: [...WEEKDAYS],
    from: '22:00',
    until: '07:00',
    ...members,
  });
  if (!record) throw new Error('no quiet hours');
  return record;
}

function endAt(members: Partial<QuietHours>, now: string): string | undefined {
  const endMs = findQuietEnd(quiet(members), Date.parse(now));
  return endMs === undefined ? undefined : new Date(endMs).toISOString().slice(0, 16);
}

// 2026-03-02 is a Monday. Berlin is an hour ahead of UTC, two from 2026-03-29 until 2026-10-25.
test.each<[string, Partial<QuietHours>, string, string | undefined]>([
  ['before', {}, '2026-03-02T20:59:59Z', undefined],
  ['from the first second', {}, '2026-03-02T21:00:00Z', '2026-03-03T06:00'],
  ['after midnight', {}, '2026-03-03T01:30:20Z', '2026-03-03T06:00'],
  ['to the last second', {}, '2026-03-03T05:59:59Z', '2026-03-03T06:00'],
  ['after', {}, '2026-03-03T06:00:00Z', undefined],
  ['within one day', { from: '12:00', until: '13:00' }, '2026-03-02T11:30:00Z', '2026-03-02T12:00'],
  ['on the wrong day', { days: ['sun'] }, '2026-03-02T22:00:00Z', undefined],
  ['in the morning after the day', { days: ['mon'] }, '2026-03-03T05:00:00Z', '2026-03-03T06:00'],
  ['in the morning of the day', { days: ['mon'] }, '2026-03-02T05:00:00Z', undefined],
  [
    'a weekend',
    { days: ['sat', 'sun'], from: '00:00', until: '00:00' },
    '2026-03-07T12:00:00Z',
    '2026-03-08T23:00',
  ],
  ['the clock put forward', {}, '2026-03-28T22:00:00Z', '2026-03-29T05:00'],
  [
    'an end that the clock leaves out',
    { from: '22:00', until: '02:30' },
    '2027-03-28T00:45:00Z',
    '2027-03-28T01:00',
  ],
  [
    'an end that the clock leaves out, seen early',
    { from: '22:00', until: '02:30' },
    '2027-03-27T23:00:00Z',
    '2027-03-28T01:00',
  ],
  ['the clock put back', {}, '2026-10-24T22:00:00Z', '2026-10-25T06:00'],
  ['another zone', { time_zone: 'Asia/Kolkata' }, '2026-03-02T16:29:00Z', undefined],
  ['half an hour off', { time_zone: 'Asia/Kolkata' }, '2026-03-02T16:30:00Z', '2026-03-03T01:30'],
])('quiet hours end at the right time: %s', (_, members, now, end) => {
  expect(endAt(members, now)).toBe(end);
});

test('quiet hours without a gap are considered again after some days', () => {
  const end = endAt({ from: '00:00', until: '00:00' }, '2026-03-02T12:00:00Z') ?? '';
  expect(Date.parse(`${end}Z`) - Date.parse('2026-03-02T12:00:00Z')).toBeGreaterThan(86_400_000);
});

test('a severity breaks through from the given one upwards, or none does', () => {
  const passes = (breakThrough: QuietHours['break_through']) =>
    (['low', 'medium', 'high', 'critical'] as const).filter((severity) =>
      breaksThrough(quiet(breakThrough === undefined ? {} : { break_through: breakThrough }), severity),
    );
  expect(passes(undefined)).toEqual(['critical']);
  expect(passes('medium')).toEqual(['medium', 'high', 'critical']);
  expect(passes(null)).toEqual([]);
});

test('quiet hours are stored and shown as they were given', () => {
  const given: QuietHours = {
    time_zone: 'America/New_York',
    days: ['fri'],
    from: '23:05',
    until: '00:00',
    break_through: 'high',
  };
  expect(toQuietHours(toQuietHoursRecord(given))).toEqual(given);
});

test('only names of time zones are time zones', () => {
  expect(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'].every(isTimeZone)).toBe(true);
  expect(['', 'Mars/Base', 'Europe/Berlin;'].some(isTimeZone)).toBe(false);
});

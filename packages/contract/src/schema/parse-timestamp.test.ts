import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTimestamp } from './parse-timestamp.ts';

test.each([
  ['2026-03-02T09:15:03Z', '2026-03-02T09:15:03.000Z'],
  ['2026-03-02T09:15:03.5Z', '2026-03-02T09:15:03.500Z'],
  ['2026-03-02T09:15:03.123456789Z', '2026-03-02T09:15:03.123Z'],
  ['2026-03-02t09:15:03z', '2026-03-02T09:15:03.000Z'],
  ['2026-03-02T09:15:03+05:30', '2026-03-02T03:45:03.000Z'],
  ['2026-03-02T00:15:03+01:00', '2026-03-01T23:15:03.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2015-06-30T23:59:60.25z', '2015-07-01T00:00:00.250Z'],
  ['2017-01-01T00:59:60.5+01:00', '2017-01-01T00:00:00.500Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('%s is read as %s', (text, utc) => {
  const ms = parseTimestamp(text);
  expect(ms).toBeDefined();
  expect(new Date(ms ?? 0).toISOString()).toBe(utc);
});

test.each([
  '',
  'now',
  '2026-03-02',
  '2026-03-02T09:15Z',
  '2026-03-02T09:15:03',
  '2026-03-02 09:15:03Z',
  '2026-3-2T09:15:03Z',
  '2026-02-29T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-03-02T24:00:00Z',
  '2026-03-02T09:60:03Z',
  '2016-12-30T23:59:60Z',
  '2016-12-31T22:59:60Z',
  '2016-12-31T23:59:60+01:00',
  '9999-12-31T23:59:60Z',
  '2016-12-31T23:59:61Z',
  '2026-03-02T09:15:60Z',
  '2026-03-02T09:15:03+24:00',
  '2026-03-02T09:15:03.Z',
  '2026-03-02T09:15:03.1234567890Z',
  '+02026-03-02T09:15:03Z',
  '12026-03-02T09:15:03Z',
  '2026-03-02T09:15:03Z\n',
  '1772442903',
])('%j is not a time', (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});

test.each(['9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00+00:01'])(
  '%s is not a time, because UTC could not express it with a four-digit year',
  (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  },
);

test('a formatted time parses to the same instant, under any offset', () => {
  const instant = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });
  fc.assert(
    fc.property(instant, fc.integer({ min: -1439, max: 1439 }), (date, offsetMinutes) => {
      const sign = offsetMinutes < 0 ? '-' : '+';
      const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
      const zone = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
      const local = new Date(date.getTime() + offsetMinutes * 60_000).toISOString().replace('Z', zone);
      expect(parseTimestamp(local)).toBe(date.getTime());
      expect(parseTimestamp(date.toISOString())).toBe(date.getTime());
    }),
  );
});

import { expect, test } from 'vitest';
import { SEVERITIES, toFutureTime, toShare, toTime, wholeNumber, wordsOf } from './values.ts';

test('a time is RFC 3339 or relative, and nothing else', () => {
  expect(toTime('2026-03-01T09:30:00Z')).toBe('2026-03-01T09:30:00Z');
  expect(Date.now() - Date.parse(toTime('24h'))).toBeCloseTo(86_400_000, -3);
  for (const wrong of [
    '',
    'yesterday',
    '24',
    '24y',
    '-1h',
    '2026-03-01',
    '2026-13-01T00:00:00Z',
    '2026-03-01T09:30:00',
    '2026-02-30T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2016-12-31T22:59:60Z',
    '9999-12-31T23:59:59-00:01',
  ]) {
    expect(() => toTime(wrong)).toThrow();
  }
});

test('an expiry is RFC 3339 or relative, and in the future', () => {
  expect(toFutureTime('2999-03-01T09:30:00+01:00')).toBe('2999-03-01T08:30:00.000Z');
  expect(Date.parse(toFutureTime('24h')) - Date.now()).toBeCloseTo(86_400_000, -3);
  for (const wrong of [
    ...['', 'tomorrow', '24', '0h', '-1h', '2020-03-01T09:30:00Z', '2999-03-01T09:30:00'],
    ...['2999-02-30T00:00:00Z', '2999-03-01T24:00:00Z', '2999-12-30T23:59:60Z'],
  ]) {
    expect(() => toFutureTime(wrong)).toThrow('in the future');
  }
});

test('a number must be whole and within its bounds', () => {
  expect(wholeNumber(1, 10)('10')).toBe(10);
  for (const wrong of ['0', '11', '1.5', '1e1', '0x1', ' 1', '', '99999999999']) {
    expect(() => wholeNumber(1, 10)(wrong)).toThrow();
  }
});

test('a share is a number from 0 to 1', () => {
  expect([toShare('0'), toShare('0.85'), toShare('1')]).toEqual([0, 0.85, 1]);
  for (const wrong of ['1.1', '2', '-0.1', '.5', '', 'NaN']) expect(() => toShare(wrong)).toThrow();
});

test('words can be separated by commas or options, and unknown words are named', () => {
  const read = wordsOf(SEVERITIES);
  expect(read('high', read('low, medium'))).toEqual(['low', 'medium', 'high']);
  expect(() => read('low,severe')).toThrow('severe');
});

import { expect, test } from 'vitest';
import { countFloors, findShortfalls, floorsOfEveryday, parseFloors } from './floors.ts';

const floors = parseFloors('{"least": {"url.auc": 0.9}, "most": {"url.2fa.false_alarms": 0.01}}');

test('figures at their floors pass', () => {
  expect(findShortfalls({ 'url.auc': 0.9, 'url.2fa.false_alarms': 0.01 }, floors)).toEqual([]);
});

test('each figure that is worse than its floor is reported', () => {
  expect(findShortfalls({ 'url.auc': 0.89, 'url.2fa.false_alarms': 0.02 }, floors)).toEqual([
    'url.auc is 0.8900, and has to be at least 0.9',
    'url.2fa.false_alarms is 0.0200, and has to be at most 0.01',
  ]);
});

test('a figure that was not measured, or could not be, does not pass', () => {
  expect(findShortfalls({ 'url.auc': Number.NaN }, floors)).toEqual([
    'url.auc is NaN, and has to be at least 0.9',
    'url.2fa.false_alarms was not measured, and has to be at most 0.01',
  ]);
});

test('without other rows only the floors of the check set apply', () => {
  const all = parseFloors(
    '{"least": {"url.auc": 0.9, "text.everyday_sms.recall": 0.5}, "most": {"text.nus.false_alarms": 0.01}}',
  );
  expect(countFloors(all)).toBe(3);
  expect(floorsOfEveryday(all)).toEqual({ least: { 'text.everyday_sms.recall': 0.5 }, most: {} });
  expect(findShortfalls({ 'text.everyday_sms.recall': 0.6 }, floorsOfEveryday(all))).toEqual([]);
  expect(findShortfalls({}, floorsOfEveryday(all))).toHaveLength(1);
  expect(findShortfalls({ 'text.everyday_sms.recall': 0.6 }, all)).toHaveLength(2);
});

test('a floor that is not a number is rejected', () => {
  expect(() => parseFloors('{"least": {"url.auc": "0.9"}}')).toThrow('A floor is a number.');
  expect(() => parseFloors('{')).toThrow('no JSON');
});

import { expect, test } from 'vitest';
import { countFloors, findShortfalls, parseFloors, selectEverydayFloors } from './floors.ts';

const floors = parseFloors('{"min": {"url.auc": 0.9}, "max": {"url.2fa.false_alarms": 0.01}}');

test('figures at their floors pass', () => {
  expect(findShortfalls({ 'url.auc': 0.9, 'url.2fa.false_alarms': 0.01 }, floors)).toEqual([]);
});

test('each figure that is worse than its floor is reported', () => {
  expect(findShortfalls({ 'url.auc': 0.89, 'url.2fa.false_alarms': 0.02 }, floors)).toEqual([
    'url.auc is 0.8900; it must be at least 0.9',
    'url.2fa.false_alarms is 0.0200; it must be at most 0.01',
  ]);
});

test('a figure that was not measured, or could not be, does not pass', () => {
  expect(findShortfalls({ 'url.auc': Number.NaN }, floors)).toEqual([
    'url.auc is NaN; it must be at least 0.9',
    'url.2fa.false_alarms was not measured; it must be at most 0.01',
  ]);
});

test('without other rows only the floors of the check set apply', () => {
  const all = parseFloors(
    '{"min": {"url.auc": 0.9, "text.everyday_sms.recall": 0.5}, "max": {"text.nus.false_alarms": 0.01}}',
  );
  expect(countFloors(all)).toBe(3);
  expect(selectEverydayFloors(all)).toEqual({ min: { 'text.everyday_sms.recall': 0.5 }, max: {} });
  expect(findShortfalls({ 'text.everyday_sms.recall': 0.6 }, selectEverydayFloors(all))).toEqual([]);
  expect(findShortfalls({}, selectEverydayFloors(all))).toHaveLength(1);
  expect(findShortfalls({ 'text.everyday_sms.recall': 0.6 }, all)).toHaveLength(2);
});

test('a floor that is not a number is rejected', () => {
  expect(() => parseFloors('{"min": {"url.auc": "0.9"}}')).toThrow('A floor must be a number.');
  expect(() => parseFloors('{')).toThrow('not valid JSON');
});

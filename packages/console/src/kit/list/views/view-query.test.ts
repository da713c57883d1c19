import { expect, test } from 'vitest';
import type { FilterDefinition } from '../list-definition.ts';
import { isChanged, keptQuery, namesOfAges, openedQuery, parseViewQuery } from './view-query.ts';

const NOW = Date.parse('2026-03-02T12:00:00.000Z');
const LIST = {
  filters: [
    { name: 'severity', label: 'Severity', kind: 'text' },
    { name: 'since', label: 'Created', kind: 'time-range' },
  ] satisfies FilterDefinition[],
};

test('a view keeps filters, order and columns of the address, and nothing else', () => {
  const search = { severity: 'high,critical', sort: 'severity', open: 'inc_1', view: 'vew_1', kiosk: '1' };
  const kept = keptQuery(LIST, search, { keepsAge: false, nowMs: NOW });
  expect(parseViewQuery(kept)).toEqual({ severity: 'high,critical', sort: 'severity' });
});

test.each([
  ['2026-03-01T12:00:00.000Z', '-1d'],
  ['2026-03-02T10:00:00.000Z', '-2h'],
  ['2026-03-02T10:30:00.000Z', '-90m'],
  ['2026-03-02T11:59:59.000Z', '-1m'],
])('a beginning at %s is kept as the age %s', (since, age) => {
  expect(keptQuery(LIST, { since }, { keepsAge: true, nowMs: NOW })).toBe(`since=${age}`);
  expect(keptQuery(LIST, { since }, { keepsAge: false, nowMs: NOW })).not.toContain(age);
});

test('an age becomes a time when the view is opened; unknown members are dropped', () => {
  const opened = openedQuery(LIST, { since: '-24h', severity: '!low', tenant: 'x' }, NOW);
  expect(opened).toEqual({ since: '2026-03-01T12:00:00.000Z', severity: '!low' });
});

test('a range with an end has no age', () => {
  const since = '2026-03-01T12:00:00.000Z';
  expect(namesOfAges(LIST, { since, until: since })).toEqual([]);
  expect(namesOfAges(LIST, { since })).toEqual(['since']);
});

test('a difference from the view is a change, except for a time that the view counts back', () => {
  const view = { severity: 'high', since: '-1d' };
  expect(isChanged(LIST, { severity: 'high', since: '2026-03-01T12:00:00.000Z', view: 'x' }, view)).toBe(
    false,
  );
  expect(isChanged(LIST, { severity: 'low', since: '2026-03-01T12:00:00.000Z' }, view)).toBe(true);
  expect(isChanged(LIST, { severity: 'high' }, view)).toBe(true);
  expect(isChanged(LIST, { severity: 'high', since: 'x', sort: 'severity' }, view)).toBe(true);
});

import { expect, test } from 'vitest';
import type { FilterDefinition, ListQuery } from '../list-definition.ts';
import { suggestFilters } from './suggest-filters.ts';

const FILTERS: readonly FilterDefinition[] = [
  {
    name: 'severity',
    label: 'Severity',
    kind: 'any-of',
    choices: [
      { value: 'high', label: 'High' },
      { value: 'low', label: 'Low' },
    ],
  },
  { name: 'device_id', label: 'Device', kind: 'id', placeholder: 'dev_…' },
  { name: 'assignee', label: 'Assignee', kind: 'text' },
  { name: 'since', label: 'Created', kind: 'time-range' },
];

function suggested(text: string, active: ListQuery = {}) {
  return suggestFilters(FILTERS, active, text).map(({ label, relation, value, change }) => [
    [label, relation, value].filter(Boolean).join(' '),
    change,
  ]);
}

test('an empty field suggests the filters', () => {
  expect(suggested('').map(([words]) => words)).toEqual(['Severity', 'Device', 'Assignee', 'Created']);
});

test('a part of a value suggests it, and the text itself', () => {
  expect(suggested('hi')).toEqual([
    ['Severity is High', { severity: 'high' }],
    ['Assignee is hi', { assignee: 'hi' }],
  ]);
});

test.each(['!high', 'not high', 'severity: !high'])('%j excludes', (text) => {
  expect(suggested(text)[0]).toEqual(['Severity is not High', { severity: '!high' }]);
});

test('the name of a filter and a colon suggest its values', () => {
  expect(suggested('Severity:')).toEqual([
    ['Severity is High', { severity: 'high' }],
    ['Severity is Low', { severity: 'low' }],
  ]);
});

test('a value joins those that the filter has', () => {
  expect(suggested('severity:low', { severity: 'high' })[0]?.[1]).toEqual({ severity: 'high,low' });
  expect(suggested('severity:low', { severity: '!high' })[0]?.[1]).toEqual({ severity: 'low' });
});

test('an id is suggested for the filter of its kind', () => {
  expect(suggested('dev_1')[0]).toEqual(['Device is dev_1', { device_id: 'dev_1' }]);
  expect(suggested('inc_1').map(([words]) => words)).toEqual(['Assignee is inc_1']);
});

test('a preset of a range replaces both of its ends', () => {
  expect(suggested('24')[1]).toEqual(['Created is Last 24 h', { since: '-24h', until: undefined }]);
});

import { expect, test } from 'vitest';
import { targetOf, withToggled } from './use-selection.ts';

const ALL = ['a', 'b', 'c', 'd', 'e'];

test('an item is selected and cleared', () => {
  const once = withToggled(new Set(), ALL, { index: 1, from: -1 });
  expect([...once]).toEqual(['b']);
  expect([...withToggled(once, ALL, { index: 1, from: -1 })]).toEqual([]);
});

test.each([
  [1, 3],
  [3, 1],
])('a range from %i to %i selects what is between', (from, index) => {
  expect([...withToggled(new Set(['e']), ALL, { index, from })].sort()).toEqual(['b', 'c', 'd', 'e']);
});

test('everything that matches is a filter, and nothing has no target', () => {
  const filter = { severity: 'high', until: '2026-03-02T00:00:00Z' };
  expect(targetOf({ kind: 'all', filter, count: 4212, isComplete: true })).toEqual({ filter });
  expect(targetOf({ kind: 'ids', ids: new Set() })).toBeUndefined();
});

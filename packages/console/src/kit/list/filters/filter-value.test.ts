import { expect, test } from 'vitest';
import { filterIn, filterOut, formatFilter, parseFilter } from './filter-value.ts';

test.each([
  ['high,critical', { matches: 'any', values: ['high', 'critical'] }],
  ['!low', { matches: 'none', values: ['low'] }],
  [String.raw`a\,b,c\\d,\!e`, { matches: 'any', values: ['a,b', String.raw`c\d`, '!e'] }],
  ['', { matches: 'any', values: [] }],
] as const)('%j is read as a filter, and written the same', (text, value) => {
  expect(parseFilter(text)).toEqual(value);
  expect(formatFilter(value) ?? '').toBe(text);
});

test('filtering in leaves only the value', () => {
  expect(filterIn('high')).toBe('high');
});

test.each([
  [undefined, '!high'],
  ['!low', '!low,high'],
  ['!high', '!high'],
  ['high,critical', 'critical'],
  ['high', '!high'],
])('filtering high out of %j gives %j', (before, after) => {
  expect(filterOut(before, 'high')).toBe(after);
});

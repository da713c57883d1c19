import { expect, test } from 'vitest';
import { locate } from './use-cursor.ts';
import { rowsMoved } from './use-kept-position.ts';

const rows = (ids: string) => [...ids].map((id) => ({ id }));
const idOf = ({ id }: { id: string }) => id;

test.each([
  ['rows above it appear', 'cdef', 'abcdef', 1, 2],
  ['rows above it leave', 'abcd', 'bcd', 2, -1],
  ['rows below it appear', 'abc', 'abcd', 1, 0],
  ['it leaves', 'abc', 'ac', 1, 0],
])('the first row on the screen is found when %s', (_case, old, now, first, moved) => {
  expect(rowsMoved(rows(old), rows(now), { first, idOf })).toBe(moved);
});

test.each([
  ['stays on its item', 'abcd', 'xabcd', 3],
  ['is at the next item when its own leaves', 'abcd', 'abd', 2],
  ['is at the last item when the end leaves', 'abcd', 'ab', 1],
])('the cursor %s', (_case, old, now, index) => {
  const item = rows(old)[2];
  expect(locate(rows(now), idOf, { index: 2, id: item?.id ?? '' })).toBe(index);
});

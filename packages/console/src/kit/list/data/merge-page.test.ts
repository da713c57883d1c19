import { expect, test } from 'vitest';
import { mergePage } from './merge-page.ts';

interface Item {
  readonly id: string;
  readonly is?: string;
}

const idOf = ({ id }: Item) => id;
const items = (ids: string): Item[] => [...ids].map((id) => ({ id }));

function merged(known: string, fetched: string, hasMore = true) {
  const page = { data: items(fetched), has_more: hasMore, next_cursor: hasMore ? 'next' : null };
  return mergePage({ known: items(known), fetched: page, idOf })
    .map(idOf)
    .join('');
}

test('new items do not move those on the screen', () => {
  expect(merged('cde', 'abc')).toBe('cde');
});

test('items that no longer match leave', () => {
  expect(merged('abcd', 'acd')).toBe('acd');
  expect(merged('abcd', 'abc', false)).toBe('abc');
});

test('items after the end of the new page stay', () => {
  expect(merged('cdef', 'abcd')).toBe('cdef');
});

test('a page that has only new items removes nothing', () => {
  expect(merged('cd', 'ab')).toBe('cd');
});

test('changed items are replaced in their place', () => {
  const page = { data: [{ id: 'b', is: 'new' }], has_more: true, next_cursor: 'next' };
  expect(mergePage<Item>({ known: items('bc'), fetched: page, idOf })[0]).toEqual({ id: 'b', is: 'new' });
});

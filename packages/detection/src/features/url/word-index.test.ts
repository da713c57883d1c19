import { expect, test } from 'vitest';
import { createWordIndex } from './word-index.ts';

test('every entry in a text is found in order, also if two overlap or share a key', () => {
  const index = createWordIndex([
    ['paypal', 1],
    ['palace', 2],
    ['paypalobjects', 3],
    ['bet365', 4],
    // Shares its key with the start of "paypal".
    ['0aypa', 5],
  ]);
  const found: [number, string][] = [];
  index.forEachIn('mypaypalace-paypalobjects.bet365', (value, word) => found.push([value, word]));
  expect(found).toEqual([
    [1, 'paypal'],
    [2, 'palace'],
    [1, 'paypal'],
    [3, 'paypalobjects'],
    [4, 'bet365'],
  ]);
});

test('a word that is too short is rejected', () => {
  expect(() => createWordIndex([['bank', 1]])).toThrow(RangeError);
});

import { expect, test } from 'vitest';
import { createWordIndex } from './word-index.ts';

test('every entry inside a text is found, in order, also where two overlap or share letters by chance', () => {
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

test('a word too short to be told from chance is refused', () => {
  expect(() => createWordIndex([['bank', 1]])).toThrow(RangeError);
});

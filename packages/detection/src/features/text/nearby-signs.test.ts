import { expect, it } from 'vitest';
import { findNearbySigns } from './nearby-signs.ts';

const words = (text: string) => text.split(' ');
const filler = (count: number) => words('and '.repeat(count).trim());

it('returns for each word whether a link, a number to call or text, and money are near it', () => {
  expect([...findNearbySigns(words('pay <money> at <link>'))]).toEqual([5, 5, 5, 5]);
  expect([...findNearbySigns(words('call <phone>'))]).toEqual([2, 2]);
  expect([...findNearbySigns(words('text yes to <5>'))]).toEqual([2, 2, 2, 2]);
  expect([...findNearbySigns(words('see you at <time>'))]).toEqual([0, 0, 0, 0]);
});

it('stays the same for a bait when benign words with a link follow far behind it', () => {
  const bait = words('call <phone> now');
  const padded = findNearbySigns([...bait, ...filler(30), '<link>']);
  expect([...padded.subarray(0, bait.length)]).toEqual([...findNearbySigns(bait)]);
  expect(padded.at(-1)).toBe(1);
});

it('is empty for a text without words', () => {
  expect(findNearbySigns([])).toHaveLength(0);
});

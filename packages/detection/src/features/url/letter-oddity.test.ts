import { expect, test } from 'vitest';
import { letterOddity } from './letter-oddity.ts';

test('random letters are odder than words and names of several languages', () => {
  const words = ['tomatoes', 'sparkasse', 'pedagio', 'steamcommunity', 'smith', 'biblioteca'];
  const random = ['khoviicf', 'znshdkeonp', 'qcqqcpyb', 'bgxgfhgc', 'XJTKWQ'];
  const oddest = Math.max(...words.map((word) => letterOddity(word, 3)));
  for (const letters of random) expect(letterOddity(letters, 3)).toBeGreaterThan(oddest);
});

test('the oddest run of letters decides, and short runs do not count', () => {
  expect(letterOddity('help/center/qxzvkj', 5)).toBeCloseTo(letterOddity('qxzvkj', 5));
  expect(letterOddity('qxz/1/vkj', 5)).toBe(0);
  expect(letterOddity('', 1)).toBe(0);
  expect(letterOddity('2026/04', 1)).toBe(0);
});

import { expect, test } from 'vitest';
import { readWords } from './read-words.ts';

test.each([
  ['three words here', 3],
  ['您的包裹已经到达', 3],
  ['your 包裹 at 5 pm', 5],
  ['', 0],
])('three letters of a script without spaces count as one word: %j', (text, count) => {
  expect(readWords(text).count).toBe(count);
});

test('letters without spaces between Latin letters are words too', () => {
  expect(readWords('id验证码sms').words).toEqual(['id', '验', '证', '码', 'sms']);
});

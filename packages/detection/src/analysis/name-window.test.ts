import { expect, test } from 'vitest';
import { inWords } from '../wording/in-words.ts';
import { nameWindow } from './name-window.ts';

test('the kinds of the heaviest words of the most suspicious part are named, without its words', () => {
  const words = ['pay', 'the', 'courier', '<link>'];
  const clause = nameWindow(words, Float64Array.of(1, 0.5, 2, 1));
  expect(clause).toEqual({ code: 'weighed', subjects: ['parcels', 'money'], sign: 'link' });
  expect(clause && inWords(clause)).toBe(
    'words about parcels and about money and a link weighed most for the model',
  );
});

test('a word that lowers the score is not named, and a text without known words has no clause', () => {
  expect(nameWindow(['pay', 'lorem'], Float64Array.of(-1, 2))).toBeUndefined();
  expect(nameWindow(['lorem', 'ipsum'], Float64Array.of(1, 1))).toBeUndefined();
});

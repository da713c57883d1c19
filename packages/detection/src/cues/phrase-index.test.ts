import { expect, test } from 'vitest';
import { PhraseIndex } from './phrase-index.ts';
import { readWords } from './read-words.ts';

function find(text: string): string[] {
  const phrases = new PhraseIndex<string>();
  for (const phrase of ['gift', 'gift card', 'gift card code', 'card', 'send me'])
    phrases.add(phrase, phrase);
  phrases.add('card', 'another meaning');
  const found: string[] = [];
  phrases.forEachIn(text.split(' '), (meanings, start, end) => found.push(`${meanings} ${start}-${end}`));
  return found;
}

test('every phrase is found with its meanings, also inside another phrase', () => {
  expect(find('a gift card code')).toEqual([
    'gift 1-2',
    'gift card 1-3',
    'gift card code 1-4',
    'card,another meaning 2-3',
  ]);
});

test('neither the beginning of a phrase nor a word that contains a phrase is found', () => {
  expect(find('send it to me')).toEqual([]);
  expect(find('gifts')).toEqual([]);
  expect(find('send')).toEqual([]);
});

test('a phrase in a script without spaces is found inside a run of letters', () => {
  const phrases = new PhraseIndex<string>();
  for (const phrase of ['验证码', 'otp 번호', '알려 주세요']) phrases.add(phrase, phrase);
  const found: string[] = [];
  const { words } = readWords('把验证码发来 otp번호를알려주세요');
  phrases.forEachIn(words, (meanings, start, end) => found.push(`${meanings} ${start}-${end}`));
  expect(found).toEqual(['验证码 1-4', 'otp 번호 6-9', '알려 주세요 10-15']);
});

import { DISGUISED_WORDS } from './disguised-words.ts';

/** Characters that replace letters, each with the letter that it mostly stands for. */
const READ_AS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '\u20ac': 'e',
};
// Begins at the start of a run, so that each character is read a bounded number of times.
const MIXED = /(?<![a-z0-9@$!|\u20ac])(?=[a-z]{0,24}[0-9@$!|\u20ac])[a-z0-9@$!|\u20ac]+/gi;
const ANY_SIGN = /[0-9@$!|\u20ac]/;
/** Longer ones are codes, keys and addresses. */
const MAX_WORD_LENGTH = 24;

/**
 * Reads characters that replace letters inside a word: "pa$$word", "acc0unt", "v1agra". Prices, times, codes,
 * ordinals, "gr8" and model numbers stay: a digit is read as a letter only between letters, and only a few in
 * a word. `folded` counts only words that are known to be disguised: names and handles are read too.
 */
export function foldLeetspeak(text: string): { readonly text: string; readonly folded: number } {
  if (!ANY_SIGN.test(text)) return { text, folded: 0 };
  let folded = 0;
  const output = text.replace(MIXED, (word, start: number) => {
    if (word.length < 3 || word.length > MAX_WORD_LENGTH || !ANY_SIGN.test(word) || !/[a-z]/i.test(word))
      return word;
    // A mail address, or a handle.
    if (text.charAt(start + word.length) === '.' && word.includes('@')) return word;
    const read = readWord(word);
    if (read !== word && isDisguise(read, text.charAt(start - 1))) folded += 1;
    return read;
  });
  return { text: output, folded };
}

/** Behind one of these signs, it is a part of a handle, a tag or an address. */
function isDisguise(read: string, before: string): boolean {
  return DISGUISED_WORDS.has(read.toLowerCase()) && (before === '' || !'#/_.-=&'.includes(before));
}

function readWord(word: string): string {
  let output = '';
  let letters = 0;
  let signs = 0;
  for (let index = 0; index < word.length; index += 1) {
    const sign = word.charAt(index);
    const letter = READ_AS[sign];
    if (letter === undefined) {
      if (isDigit(sign)) return word;
      letters += 1;
      output += sign;
    } else if (isRead(word, index)) {
      signs += 1;
      output += letter;
    } else if (isDigit(sign)) return word;
    else output += sign;
  }
  return letters >= 2 && signs > 0 && letters >= signs * 1.5 ? output : word;
}

/**
 * Between letters; a doubled character counts as one; `$`, `@` and `0` may also begin a word, `$` and `0` end
 * one.
 */
function isRead(word: string, index: number): boolean {
  const sign = word.charAt(index);
  const before = word.charAt(index - 1) === sign ? word.charAt(index - 2) : word.charAt(index - 1);
  const after = word.charAt(index + 1) === sign ? word.charAt(index + 2) : word.charAt(index + 1);
  if (before === '') return '$@0'.includes(sign) && isLetter(after) && word.length > 3;
  if (after === '') return '$0'.includes(sign) && isLetter(before) && word.length > 4;
  // More often it ends a sentence: "hi!how".
  if (sign === '!' && /[aeiouy]/i.test(before)) return false;
  return isLetter(before) && isLetter(after);
}

function isLetter(sign: string): boolean {
  return sign !== '' && /[a-z]/i.test(sign);
}

function isDigit(sign: string): boolean {
  return sign >= '0' && sign <= '9';
}

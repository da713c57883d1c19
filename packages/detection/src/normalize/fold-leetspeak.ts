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
/** What a sign can stand for in a word that senders disguise; the usual letter first. */
const CAN_BE_READ_AS: Readonly<Record<string, string>> = {
  ...READ_AS,
  '1': 'il',
  '!': 'il',
  '|': 'li',
  '2': 'z',
  '6': 'gb',
  '9': 'g',
  '+': 't',
  '(': 'c',
  '\u00a3': 'l',
  '\u00a5': 'y',
};
/** With two readings of each, a word has at most sixteen. */
const MAX_SIGNS = 4;
const MIN_KNOWN_LENGTH = 4;
// Begins at the start of a run, so that each character is read a bounded number of times.
const MIXED = /(?<![a-z0-9@$!|\u20ac])(?=[a-z]{0,24}[0-9@$!|\u20ac])[a-z0-9@$!|\u20ac]+/gi;
const ANY_SIGN = /[0-9@$!|\u20ac]/;
/** Read as letters only in words that senders disguise, because "a+b" and "call(now)" are more frequent. */
const RARE_SIGN = /[a-z][+(\u00a3\u00a5][a-z]/i;
const WITH_RARE_SIGN =
  /(?<![a-z0-9@$!|\u20ac+(\u00a3\u00a5])(?=[a-z]{1,23}[+(\u00a3\u00a5][a-z])[a-z0-9@$!|\u20ac+(\u00a3\u00a5]+/gi;
/** Longer ones are codes, keys and addresses. */
const MAX_WORD_LENGTH = 24;

/**
 * Reads characters that replace letters inside a word: "pa$$word", "acc0unt", "v1agra". Prices, times, codes,
 * ordinals, "gr8" and model numbers stay: a digit is read as a letter only between letters, and only a few in
 * a word. `folded` counts only words that are known to be disguised: names and handles are read too.
 */
export function foldLeetspeak(text: string): { readonly text: string; readonly folded: number } {
  const rare = RARE_SIGN.test(text) ? foldRareSigns(text) : { text, folded: 0 };
  if (!ANY_SIGN.test(rare.text)) return rare;
  let { folded } = rare;
  const output = rare.text.replace(MIXED, (word, start: number) => {
    if (word.length < 3 || word.length > MAX_WORD_LENGTH || !ANY_SIGN.test(word) || !/[a-z]/i.test(word))
      return word;
    // A mail address, or a handle.
    if (rare.text.charAt(start + word.length) === '.' && word.includes('@')) return word;
    const read = readWord(word);
    const known = DISGUISED_WORDS.has(read.toLowerCase()) ? undefined : readAsKnown(word);
    if (known !== undefined || read !== word) {
      if (isDisguise(known ?? read, rare.text.charAt(start - 1))) folded += 1;
    }
    return known ?? read;
  });
  return { text: output, folded };
}

function foldRareSigns(text: string): { text: string; folded: number } {
  let folded = 0;
  const output = text.replace(WITH_RARE_SIGN, (word) => {
    const known = readAsKnown(word);
    if (known === undefined) return word;
    folded += 1;
    return known;
  });
  return { text: output, folded };
}

/** Tries every reading of up to four signs, in any place, until one is a word that senders disguise. */
function readAsKnown(written: string): string | undefined {
  const word = written.toLowerCase();
  if (word.length < MIN_KNOWN_LENGTH || word.length > MAX_WORD_LENGTH) return undefined;
  let readings = [''];
  let signs = 0;
  for (const sign of word) {
    const letters = CAN_BE_READ_AS[sign];
    if (letters !== undefined) signs += 1;
    else if (isDigit(sign)) return undefined;
    if (signs > MAX_SIGNS) return undefined;
    readings = readings.flatMap((read) => [...(letters ?? sign)].map((letter) => read + letter));
  }
  return word.length - signs >= 2 ? readings.find((read) => DISGUISED_WORDS.has(read)) : undefined;
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

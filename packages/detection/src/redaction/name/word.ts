import { toNameKey } from '../../lexicon/name-key.ts';
import { isAsciiUpper, isDigit, isLetter } from '../../normalize/characters.ts';
import { flagsOf } from './name-lexicon.ts';

const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const UNDERSCORE = 0x5f;
const LOWER_S = 0x73;
/** Longer runs of letters are data, not names; they are not looked up. */
const MAX_NAME_LENGTH = 40;
/** In the part of a name before an apostrophe or hyphen, as in `d'Angelo`. */
const MAX_SMALL_PREFIX = 3;

/** A run of letters with apostrophes and hyphens inside; `end` excludes a possessive `'s`. */
export type Word = {
  readonly start: number;
  readonly end: number;
  readonly isCapitalized: boolean;
  /** No digit, underscore or dot joins the word to its neighbours, as in identifiers and host names. */
  readonly isFree: boolean;
  /** Set by `keyOf`. */
  key?: string;
  /** Set by `wordFlags`. */
  flags?: number;
};

export function wordAt(text: string, start: number, from: number, to: number): Word {
  let end = start;
  while (end < to) {
    const code = text.charCodeAt(end);
    const joins = (code === APOSTROPHE || code === HYPHEN) && end > start && end + 1 < to;
    if (!isLetter(code) && !(joins && isLetter(text.charCodeAt(end + 1)))) break;
    end += 1;
  }
  const isFree =
    !joinsBefore(text, start, from) && !joinsAfter(text, end, to) && end - start <= MAX_NAME_LENGTH;
  const isPossessive =
    end - start > 2 && text.charCodeAt(end - 2) === APOSTROPHE && text.charCodeAt(end - 1) === LOWER_S;
  return { start, end: isPossessive ? end - 2 : end, isCapitalized: isCapitalized(text, start, end), isFree };
}

/** Returns the word after one or two spaces, if any. */
export function nextWord(text: string, position: number, to: number): Word | undefined {
  let start = position;
  while (start < to && start - position < 2 && isBlank(text.charCodeAt(start))) start += 1;
  if (start === position || start >= to || !isLetter(text.charCodeAt(start))) return undefined;
  return wordAt(text, start, position, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0xa0 || code === 0x3000;
}

export function keyOf(text: string, word: Word): string {
  word.key ??= toNameKey(text.slice(word.start, Math.min(word.end, word.start + MAX_NAME_LENGTH)));
  return word.key;
}

/** Returns what the lexicon knows about the word. */
export function wordFlags(text: string, word: Word): number {
  word.flags ??= flagsOf(keyOf(text, word));
  return word.flags;
}

export function isAllCapitals(text: string, word: Word): boolean {
  const written = text.slice(word.start, word.end);
  return word.end - word.start > 1 && written === written.toUpperCase() && written !== written.toLowerCase();
}

/** Accepts `O'Brien` and `Anna`, and after a short prefix `d'Angelo` and `al-Sayed`. */
function isCapitalized(text: string, start: number, end: number): boolean {
  if (isUpper(text, start)) return true;
  const last = Math.min(start + MAX_SMALL_PREFIX, end - 2);
  for (let index = start + 1; index <= last; index += 1) {
    const code = text.charCodeAt(index);
    if (code === APOSTROPHE || code === HYPHEN) return isUpper(text, index + 1);
  }
  return false;
}

function isUpper(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 128) return isAsciiUpper(code);
  const letter = text.charAt(index);
  return letter !== letter.toLowerCase();
}

function joinsBefore(text: string, start: number, from: number): boolean {
  if (start === from) return false;
  const before = text.charCodeAt(start - 1);
  return isDigit(before) || before === UNDERSCORE;
}

function joinsAfter(text: string, end: number, to: number): boolean {
  if (end >= to) return false;
  const after = text.charCodeAt(end);
  if (isDigit(after) || after === UNDERSCORE) return true;
  return after === DOT && end + 1 < to && isLetter(text.charCodeAt(end + 1));
}

import {
  isAlphanumeric,
  isAsciiAlphanumeric,
  isAsciiLetter,
  isDigit,
  isIdeographic,
} from '../../normalize/characters.ts';

/** The longest of the identifiers that are read so has 19 characters; bits of a mask are 31. */
const MAX_LENGTH = 20;
const MAX_SEPARATOR_LENGTH = 4;
const MIN_BEFORE_LETTER = 7;
/** `12345678 9 ZZ4`. */
const BEFORE_LETTERS = 9;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** The letters and digits from a position on, without the separators between them. */
export type Compact = {
  /** Upper case. */
  readonly characters: string;
  /** Bit _n_ is set if character _n_ is a digit. */
  readonly digits: number;
  /** Bit _n_ is set if a separator precedes character _n_. */
  readonly breaks: number;
  /** The end in the text of the first _n_ characters; 0 within a word. */
  readonly ends: readonly number[];
  readonly hasComma: boolean;
};

/**
 * Reads an identifier however it is separated. After a separator only a digit, a single letter or two before a
 * digit continue it, as in `12345678-Z`, so that the words after a number are not read. `firstWord` is the start
 * of the first word with a digit.
 */
export function readCompact(text: string, start: number, firstWord: number, to: number): Compact {
  const ends = [0];
  let characters = '';
  let digits = 0;
  let breaks = 0;
  let hasComma = false;
  let at = start;
  for (;;) {
    const group = at;
    for (; at < to && isAsciiAlphanumeric(text.charCodeAt(at)) && ends.length <= MAX_LENGTH; at += 1) {
      if (isDigit(text.charCodeAt(at))) digits |= 1 << (ends.length - 1);
      ends.push(0);
    }
    characters += text.slice(group, at);
    if (isWordEnd(text, at, to)) ends[ends.length - 1] = at;
    const next = at + separatorLength(text, at, to);
    if (
      next === at ||
      ends.length > MAX_LENGTH ||
      (next > firstWord && !continuesAt(text, { end: at, next, to, length: ends.length - 1 }))
    )
      break;
    if (text.charCodeAt(at) === COMMA) hasComma = true;
    breaks |= 1 << (ends.length - 1);
    at = next;
  }
  return { characters: characters.toUpperCase(), digits, breaks, ends, hasComma };
}

type Gap = { readonly end: number; readonly next: number; readonly to: number; readonly length: number };

/** Letters come after seven digits or more; two of them after nine, and before a digit. */
function continuesAt(text: string, { end, next, to, length }: Gap): boolean {
  if (next >= to) return false;
  const code = text.charCodeAt(next);
  if (isDigit(code)) return true;
  if (length < MIN_BEFORE_LETTER || !isAsciiLetter(code) || !isDigit(text.charCodeAt(end - 1))) return false;
  if (!isAsciiLetter(text.charCodeAt(next + 1))) return true;
  return length === BEFORE_LETTERS && isDigit(text.charCodeAt(next + 2));
}

/**
 * Returns the length of what separates two groups: up to four characters that are neither letters nor digits, nor the
 * brackets of a placeholder.
 */
export function separatorLength(text: string, at: number, to: number): number {
  let length = 0;
  while (at + length < to && length < MAX_SEPARATOR_LENGTH) {
    const code = text.charCodeAt(at + length);
    if (code === OPEN_BRACKET || code === CLOSE_BRACKET) return 0;
    if (isAlphanumeric(code) && !isIgnored(code)) break;
    length += 1;
  }
  return length;
}

/** Returns whether no word continues at a position. Text without spaces may directly follow a number. */
export function isWordEnd(text: string, at: number, to: number): boolean {
  if (at >= to) return true;
  const code = text.charCodeAt(at);
  return !isAlphanumeric(code) || isIdeographic(code) || isIgnored(code);
}

/** Combining marks and blank letters, which hide a number from rules and not from readers: `4\u03321\u0332`. */
export function isIgnored(code: number): boolean {
  if (code < 0x300) return false;
  return (
    code <= 0x36f ||
    code === 0x61c ||
    code === 0x115f ||
    code === 0x1160 ||
    (code >= 0x180b && code <= 0x180f) ||
    code === 0x3164
  );
}

/** Returns the breaks of groups with these lengths: `2 3 3 3`. */
export function breaksOf(groups: string): number {
  let breaks = 0;
  let length = 0;
  for (const group of groups.split(' ')) {
    if (length > 0) breaks |= 1 << length;
    length += Number(group);
  }
  return breaks;
}

/** Returns the breaks before the first `length` characters. */
export function breaksWithin(breaks: number, length: number): number {
  return breaks & ((1 << length) - 1);
}

/** Returns the breaks of characters that all stand alone: `4 1 1 1`. */
export function allBreaks(length: number): number {
  return ((1 << length) - 1) & ~1;
}

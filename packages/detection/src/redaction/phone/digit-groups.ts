import { isAsciiAlphanumeric, isDigit } from '../../normalize/characters.ts';

export const PLUS = 0x2b;
export const OPEN = 0x28;
export const CLOSE = 0x29;
const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;

export const MIN_PHONE_DIGITS = 7;
/** E.164 allows 15 digits; an international prefix and a bracketed trunk zero may precede them. */
const MAX_DIGITS = 18;
const MAX_GROUPS = 9;
/** So many digits can be a whole number: a group `0…` after them begins the next number of a list. */
const COMPLETE_DIGITS = 9;

/** The groups of digits of one candidate. */
export type DigitGroups = {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** All digits, joined. */
  readonly digits: string;
};

/** Returns whether a character may stand within a phone number, besides digits and a leading plus sign. */
export function isPhoneSeparator(code: number): boolean {
  return code === SPACE || isSign(code) || code === OPEN || code === CLOSE || code === NO_BREAK_SPACE;
}

function isSign(code: number): boolean {
  return code === HYPHEN || code === DOT || code === SLASH;
}

/** Reads the groups of digits at `start`, as many as one number can have. */
export function readDigitGroups(text: string, start: number, to: number): DigitGroups {
  const starts: number[] = [];
  const ends: number[] = [];
  let count = 0;
  let at = start;
  if (text.charCodeAt(at) === PLUS) at += 1;
  if (text.charCodeAt(at) === OPEN) at += 1;
  while (at < to && isDigit(text.charCodeAt(at)) && starts.length < MAX_GROUPS) {
    if (count >= COMPLETE_DIGITS && beginsNextNumber(text, at)) break;
    const groupStart = at;
    while (at < to && isDigit(text.charCodeAt(at)) && at - groupStart <= MAX_DIGITS) at += 1;
    count += at - groupStart;
    if (count > MAX_DIGITS) break;
    starts.push(groupStart);
    ends.push(at);
    at += separatorLength(text, at, to);
  }
  // One digit too many was read: the last group is the beginning of something longer.
  if (hasTail(text, ends.at(-1), to)) {
    starts.pop();
    ends.pop();
  }
  return { starts, ends, digits: joined(text, starts, ends) };
}

function joined(text: string, starts: readonly number[], ends: readonly number[]): string {
  let digits = '';
  for (let group = 0; group < starts.length; group += 1) digits += text.slice(starts[group], ends[group]);
  return digits;
}

/** Returns the length of the group that begins at `start`, and of the one after it. */
export function firstLengths(text: string, start: number, to: number): readonly [number, number] {
  const first = endOfDigits(text, start, to);
  const second = first + separatorLength(text, first, to);
  return [first - start, endOfDigits(text, second, to) - second];
}

export function endOfDigits(text: string, start: number, to: number): number {
  let end = start;
  while (end < to && isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/** A space, `0`, and two digits. */
function beginsNextNumber(text: string, at: number): boolean {
  return (
    text.charCodeAt(at - 1) === SPACE &&
    text.charCodeAt(at) === ZERO &&
    isDigit(text.charCodeAt(at + 1)) &&
    isDigit(text.charCodeAt(at + 2))
  );
}

/**
 * One hyphen, dot, slash or space; brackets and spaces around it. A full stop before a space ends a sentence.
 */
function separatorLength(text: string, at: number, to: number): number {
  let length = 0;
  let signs = 0;
  while (at + length < to && length < 3) {
    const code = text.charCodeAt(at + length);
    if (!isPhoneSeparator(code)) break;
    if (isSign(code)) signs += 1;
    if (signs > 1 || (code === DOT && isBlank(text.charCodeAt(at + length + 1)))) return 0;
    length += 1;
  }
  return length;
}

/** Nothing counts as a blank too: a full stop at the end of the text is not a separator. */
function isBlank(code: number): boolean {
  return code === SPACE || code === NO_BREAK_SPACE || Number.isNaN(code);
}

/** A last group that continues as a letter, a colon or a percent sign is not of the number: `7abc`, `10:30`, `20%`. */
function hasTail(text: string, end: number | undefined, to: number): boolean {
  if (end === undefined || end >= to) return false;
  const next = text.charCodeAt(end);
  const isDigitAfter = isDigit(text.charCodeAt(end + 1));
  if (next === 0x3a) return isDigitAfter;
  const isExtension = (next === 0x78 || next === 0x58) && isDigitAfter;
  return (isAsciiAlphanumeric(next) && !isExtension) || next === 0x5f || next === 0x25;
}

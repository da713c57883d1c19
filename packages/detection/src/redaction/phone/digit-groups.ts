import { isAsciiAlphanumeric, isDigit, isSpace } from '../../normalize/characters.ts';
import { endsLine, isTableSign } from '../gap.ts';

export const PLUS = 0x2b;
export const OPEN = 0x28;
export const CLOSE = 0x29;
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
const MAX_SEPARATOR_LENGTH = 3;

/** The groups of digits of one candidate. */
export type DigitGroups = {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** All digits, joined. */
  readonly digits: string;
  /** How many groups are before the first tab, line end or sign of a table: more often than a space, these end a number. */
  readonly line: number;
  /** The sign of a table between them, as a code unit; 0 without one. */
  readonly tableSign: number;
};

/** Returns whether a character may stand within a phone number, besides digits and a leading plus sign. */
export function isPhoneSeparator(code: number): boolean {
  return isPlainSeparator(code) || isTableSign(code);
}

function isPlainSeparator(code: number): boolean {
  return isSpace(code) || isSign(code) || code === OPEN || code === CLOSE;
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
    if (starts.length > 0 && beginsNextNumber(text, at, { ends, count })) break;
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
  return withSigns(text, starts, ends);
}

/** A number ends before a sign that differs from its first one, if one of them is of a table: `+48.8566,2.3522`. */
function withSigns(text: string, starts: readonly number[], ends: readonly number[]): DigitGroups {
  let line: number | undefined;
  let sign = 0;
  let count = 1;
  for (; count < starts.length; count += 1) {
    const end = ends[count - 1] ?? 0;
    const start = starts[count] ?? 0;
    const between = signBetween(text, end, start);
    if (between !== sign && between !== 0 && sign !== 0) break;
    sign ||= between;
    if (line === undefined && endsLine(text, end, start)) line = count;
  }
  const groups = { starts: starts.slice(0, count), ends: ends.slice(0, count) };
  return {
    ...groups,
    digits: joined(text, groups.starts, groups.ends),
    line: line ?? groups.starts.length,
    tableSign: isTableSign(sign) ? sign : 0,
  };
}

/** Returns the sign of a table, or a hyphen for a hyphen, full stop or slash. 0 for blanks and brackets. */
function signBetween(text: string, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (isTableSign(code)) return code;
    if (isSign(code)) return HYPHEN;
  }
  return 0;
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

/** `0` and two digits, after a blank if what is before can be whole, or on the line or in the cell after the first group. */
function beginsNextNumber(
  text: string,
  at: number,
  { ends, count }: { ends: readonly number[]; count: number },
): boolean {
  if (text.charCodeAt(at) !== ZERO) return false;
  if (!isDigit(text.charCodeAt(at + 1)) || !isDigit(text.charCodeAt(at + 2))) return false;
  if (count >= COMPLETE_DIGITS) return isBlank(text.charCodeAt(at - 1));
  return ends.length === 1 && endsLine(text, ends[0] ?? at, at);
}

/**
 * One hyphen, dot, slash or blank; brackets and blanks around it. A full stop before a blank ends a sentence. Or one sign of a
 * table, without blanks: with them, it separates one number from another.
 */
function separatorLength(text: string, at: number, to: number): number {
  let length = text.charCodeAt(at) === CLOSE ? 1 : 0;
  if (isTableSign(text.charCodeAt(at + length))) {
    return at + length + 1 < to && isDigit(text.charCodeAt(at + length + 1)) ? length + 1 : 0;
  }
  let signs = 0;
  while (at + length < to && length < MAX_SEPARATOR_LENGTH) {
    const code = text.charCodeAt(at + length);
    if (!isPlainSeparator(code)) break;
    if (isSign(code)) signs += 1;
    if (signs > 1 || (code === DOT && isBlank(text.charCodeAt(at + length + 1)))) return 0;
    length += 1;
  }
  return length;
}

/** Nothing counts as a blank too: a full stop at the end of the text is not a separator. */
function isBlank(code: number): boolean {
  return isSpace(code) || Number.isNaN(code);
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

import { isAsciiLetter, isAsciiUpper, isDigit } from '../../normalize/characters.ts';
import { endOfWord } from './wallet.ts';

/** A range of a text, half open. */
export type NumberRange = { readonly start: number; readonly end: number };

const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const MIDDLE_DOT = 0xb7;
const SLASH = 0x2f;
const MAX_GROUPS = 5;
const MAX_GROUP_LENGTH = 12;
/** Without the separators between the groups. */
const MAX_DOCUMENT_LENGTH = 16;
const MAX_PLATE_LENGTH = 9;

/** Numbers of passports, identity cards and driving licences: most have 7 to 9 characters, British licences 16. */
const DOCUMENT =
  /^(?=.*\d.*\d.*\d)(?:[A-Z]{1,3}\d{5,12}[A-Z]{0,3}|\d{7,12}[A-Z]{0,3}|\d{2}[A-Z]{2}\d{5}|(?=.*[A-Z])[A-Z\d]{7,12}|[A-Z9]{5}\d{6}[A-Z\d]{5})$/;
/** In the orders of any country: a passport that is valid to a day. */
const DATE =
  /^(?:\d{4}(?:0[1-9]|1[0-2])[0-3]\d|(?:[0-3]\d(?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])[0-3]\d)(?:19|20)\d\d)$/;
/** Plates: at most four runs of letters or digits, both present. */
const PLATE = /^(?=.{4,9}$)(?:[A-Z]{1,4}\d{1,5}(?:[A-Z]{1,3}(?:\d{1,2})?)?|\d{1,4}[A-Z]{1,3}(?:\d{1,6})?)$/;

/** An amount or a measure is not the number of a document: `passport fee 1234567 IDR`. */
const UNITS = new Set(
  `EUR USD GBP CHF PLN CZK SEK NOK DKK HUF RON BRL MXN ARS CLP COP INR IDR CNY RMB JPY KRW TRY ZAR CAD AUD NZD SGD HKD RUB UAH
   BTC ETH USDT RS KM KG CM MM MIN UHR AM PM H`.split(/\s+/),
);
const AMOUNT_SIGNS = '€$£¥₹₽₺%';

/** Returns the number of a document that has a group at `start`; `from` is the end of the word for it. */
export function documentAround(
  text: string,
  start: number,
  from: number,
  to: number,
): NumberRange | undefined {
  return longest(
    text,
    { groups: groupsAround(text, start, from, to), start, maxLength: MAX_DOCUMENT_LENGTH },
    (written, isJoined) => {
      return DOCUMENT.test(written) && !(isJoined && /^\d+$/.test(written)) && !DATE.test(written);
    },
  );
}

/** Returns the registration plate that has a group at `start`; `from` is the end of the word for it. */
export function plateAround(text: string, start: number, from: number, to: number): NumberRange | undefined {
  return longest(
    text,
    { groups: groupsAround(text, start, from, to), start, maxLength: MAX_PLATE_LENGTH },
    (written) => PLATE.test(written),
  );
}

type NumberCandidate = {
  readonly groups: readonly NumberRange[];
  /** The group with the first digit. */
  readonly start: number;
  readonly maxLength: number;
};
type IsNumber = (written: string, isJoined: boolean) => boolean;

/** Joins as many groups as make a number; one of the later groups begins the next candidate. */
function longest(text: string, candidate: NumberCandidate, isNumber: IsNumber): NumberRange | undefined {
  const { groups, start, maxLength } = candidate;
  for (let first = 0; first < groups.length && (groups[first]?.start ?? 0) <= start; first += 1) {
    let written = '';
    let found: NumberRange | undefined;
    for (let last = first; last < groups.length; last += 1) {
      const group = groups[last];
      if (group === undefined || written.length + group.end - group.start > maxLength) break;
      written += text.slice(group.start, group.end).toUpperCase();
      if (/\d/.test(written) && isNumber(written, last > first)) {
        found = { start: groups[first]?.start ?? 0, end: group.end };
      }
    }
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The groups around `start`: digits, capitals, and letters that a hyphen or a digit joins. Small words end a number. */
function groupsAround(text: string, start: number, from: number, to: number): readonly NumberRange[] {
  const groups: NumberRange[] = [];
  let first = start;
  while (groups.length < 2) {
    const before = groupBefore(text, first, from);
    if (before === undefined) break;
    groups.unshift(before);
    first = before.start;
  }
  let at = start;
  while (groups.length < MAX_GROUPS) {
    const end = endOfWord(text, at, to);
    if (end === at || end - at > MAX_GROUP_LENGTH + 8) break;
    groups.push({ start: at, end });
    const gap = gapLength(text, end, to);
    if (gap === 0 || !isPart(text, end + gap, to, gap === 1 && isSign(text.charCodeAt(end)))) break;
    at = end + gap;
  }
  return isAmount(text, groups, to) ? [] : groups;
}

function isAmount(text: string, groups: readonly NumberRange[], to: number): boolean {
  const [start, end] = [groups[0]?.start ?? 0, groups.at(-1)?.end ?? 0];
  const beside = [
    text.charAt(start - 1),
    text.charAt(end),
    text.charAt(end) === ' ' && end + 1 < to ? text.charAt(end + 1) : '',
  ];
  return (
    beside.some((sign) => sign !== '' && AMOUNT_SIGNS.includes(sign)) ||
    groups.some((group) => UNITS.has(text.slice(group.start, group.end).toUpperCase())) ||
    UNITS.has(text.slice(end + 1, endOfWord(text, end + 1, to)).toUpperCase())
  );
}

/** Up to three letters before the first digits: `B-MW 1234`. */
function groupBefore(text: string, start: number, from: number): NumberRange | undefined {
  let end = start;
  while (end > from && start - end < 2 && isGap(text.charCodeAt(end - 1))) end -= 1;
  if (end === start) return undefined;
  let first = end;
  while (first > from && isAsciiLetter(text.charCodeAt(first - 1))) first -= 1;
  const length = end - first;
  const isSigned = start - end === 1 && isJoint(text.charCodeAt(end));
  const isCapital = isAsciiUpper(text.charCodeAt(first)) && isAsciiUpper(text.charCodeAt(end - 1));
  const isGroup =
    length >= 1 && length <= 3 && (isCapital || isSigned) && !isDigit(text.charCodeAt(first - 1));
  return isGroup ? { start: first, end } : undefined;
}

function isPart(text: string, at: number, to: number, isSigned: boolean): boolean {
  const end = endOfWord(text, at, to);
  if (end === at) return false;
  const word = text.slice(at, end);
  return /\d/.test(word) || (word.length <= 3 && (isSigned || word === word.toUpperCase()));
}

function gapLength(text: string, at: number, to: number): number {
  let length = 0;
  while (at + length < to && length < 3 && isGap(text.charCodeAt(at + length))) length += 1;
  // A full stop before a space ends a sentence.
  return text.charCodeAt(at) === DOT && length > 1 ? 0 : length;
}

/** `B-MW 1234`, `M·XY 99`: not the full stop of `No. 5`. */
function isJoint(code: number): boolean {
  return code === HYPHEN || code === MIDDLE_DOT;
}

function isGap(code: number): boolean {
  return code === SPACE || code === NO_BREAK_SPACE || isSign(code);
}

function isSign(code: number): boolean {
  return code === HYPHEN || code === MIDDLE_DOT || code === DOT || code === SLASH;
}

import { isAsciiAlphanumeric, isHexadecimal } from '../../normalize/characters.ts';
import { isAllDigits } from './card.ts';
import { isLuhn } from './checksums.ts';
import { allBreaks, breaksOf, breaksWithin, type Compact } from './compact.ts';

const IMEI_LENGTH = 15;
/** An IMEI without check digit has 14, one with a software version 16. */
const NAMED_IMEI_LENGTHS = [16, 15, 14];
const IMEI_GROUPS = new Set([
  0,
  allBreaks(IMEI_LENGTH),
  ...['2 6 6 1', '6 2 6 1', '8 6 1', '8 7', '3 3 3 3 3', '14 1', '5 5 5'].map(breaksOf),
]);
/** The bodies that allocate nearly all present phones: GSMA (old), CTIA, BABT, TAF. */
const REPORTING_BODIES = /^(?:01|35|86|99)/;

/** Returns the number of digits of the IMEI (3GPP TS 23.003 section 6.2) that begins a number. */
export function imeiLength(compact: Compact, isNamed: boolean): number | undefined {
  const { characters, digits, breaks, ends } = compact;
  for (const length of isNamed ? NAMED_IMEI_LENGTHS : [IMEI_LENGTH]) {
    if (!ends[length] || !isAllDigits(digits, length)) continue;
    // In `IMEI 1: 35…` the first digit counts telephones.
    if ((breaks & 2) !== 0 && breaksWithin(breaks, length) !== allBreaks(length)) continue;
    if (isNamed && (length !== IMEI_LENGTH || isLuhn(characters.slice(0, length)))) return length;
    const number = characters.slice(0, length);
    const isGrouped = IMEI_GROUPS.has(breaksWithin(breaks, length));
    if (isGrouped && REPORTING_BODIES.test(number) && isLuhn(number)) return length;
  }
  return undefined;
}

const COLON = 0x3a;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const MAC_DIGITS = 12;

/** The range of a MAC address. */
type MacRange = { readonly start: number; readonly end: number };

/**
 * Reads the MAC address (IEEE 802) that has a group at `start`: six pairs with colons or hyphens, three groups of four
 * with dots, hyphens or colons. Longer rows of pairs are fingerprints of keys.
 */
export function macAround(text: string, start: number, from: number, to: number): MacRange | undefined {
  const width = endOfHex(text, start, to) - start;
  if (width !== 2 && width !== 4) return undefined;
  const first = firstGroup(text, { start, width, from });
  const separator = text.charCodeAt(first + width);
  if (separator !== COLON && separator !== HYPHEN && !(separator === DOT && width === 4)) return undefined;
  let at = first;
  for (let group = 0; group < MAC_DIGITS / width; group += 1) {
    if (group > 0 && text.charCodeAt(at++) !== separator) return undefined;
    const end = endOfHex(text, at, to);
    if (end - at !== width) return undefined;
    at = end;
  }
  const continues =
    at + 1 < to && text.charCodeAt(at) === separator && isAsciiAlphanumeric(text.charCodeAt(at + 1));
  // Digits with hyphens are rather a code.
  const isCode = separator === HYPHEN && !/[a-f]/i.test(text.slice(first, at));
  return continues || isCode || (at < to && isAsciiAlphanumeric(text.charCodeAt(at)))
    ? undefined
    : { start: first, end: at };
}

/** Groups of letters, `de:ad:be:ef`, are before the first one with a digit. */
function firstGroup(
  text: string,
  { start, width, from }: { start: number; width: number; from: number },
): number {
  let first = start;
  for (let groups = 1; groups < MAC_DIGITS / width; groups += 1) {
    const before = first - width - 1;
    const separator = text.charCodeAt(first - 1);
    if (before < from || (separator !== COLON && separator !== HYPHEN && separator !== DOT)) break;
    if (endOfHex(text, before, first) !== first - 1) break;
    if (before > from && isAsciiAlphanumeric(text.charCodeAt(before - 1))) break;
    first = before;
  }
  return first;
}

function endOfHex(text: string, start: number, to: number): number {
  let end = start;
  while (end < to && end - start <= 4 && isHexadecimal(text.charCodeAt(end))) end += 1;
  return end;
}

import { isLuhn } from './checksums.ts';
import { allBreaks, breaksOf, breaksWithin, type Compact } from './compact.ts';

/** Ranges of issuers (ISO/IEC 7812) and the lengths of their numbers. */
const ISSUERS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:36|38|39|30[0-5]|3095)/, [14, 16, 19]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^220[0-4]/, [16, 17, 18, 19]],
  [/^(?:50|5[6-8]|6304|6390|67)/, [12, 13, 14, 15, 16, 17, 18, 19]],
];
const MIN_LENGTH = 12;
const MAX_LENGTH = 19;
const MIN_GROUP = 4;

/** How numbers are printed and typed: blocks of four, as on the cards of two issuers, in two halves, or as one. */
const GROUPS: ReadonlyMap<number, ReadonlySet<number>> = new Map(
  Array.from({ length: MAX_LENGTH + 1 }, (_, length) => [length, new Set(printedBreaks(length))]),
);

function printedBreaks(length: number): number[] {
  const fours = Array.from({ length: Math.floor((length - 1) / 4) }, (_, block) => 4 * (block + 1));
  return [
    0,
    fours.reduce((breaks, position) => breaks | (1 << position), 0),
    allBreaks(length),
    ...(length === 15 ? [breaksOf('4 6 5')] : []),
    ...(length === 14 ? [breaksOf('4 6 4')] : []),
    ...(length === 16 ? [breaksOf('8 8'), breaksOf('6 10')] : []),
    ...(length === 19 ? [breaksOf('6 13')] : []),
  ];
}

/** Returns the number of digits of the payment card number that begins a number; in any groups after a word for a card. */
export function cardLength(
  { characters, digits, breaks, ends }: Compact,
  isNamed: boolean,
): number | undefined {
  if (ends.length <= MIN_LENGTH || !isAllDigits(digits, MIN_LENGTH)) return undefined;
  const issuers = ISSUERS.filter(([range]) => range.test(characters));
  if (issuers.length === 0) return undefined;
  for (let length = Math.min(MAX_LENGTH, ends.length - 1); length >= MIN_LENGTH; length -= 1) {
    if (!ends[length] || !isAllDigits(digits, length)) continue;
    const groups = breaksWithin(breaks, length);
    if (!isNamed && !GROUPS.get(length)?.has(groups) && !areLong(groups, length)) continue;
    const number = characters.slice(0, length);
    if (
      isLuhn(number) &&
      ISSUERS.some(([range, lengths]) => lengths.includes(length) && range.test(number))
    ) {
      return length;
    }
  }
  return undefined;
}

/** Groups of at least four digits each are not those of a list of sums, even if no issuer prints them so. */
function areLong(breaks: number, length: number): boolean {
  let before = 0;
  for (let at = 1; at <= length; at += 1) {
    if (at < length && !(breaks & (1 << at))) continue;
    if (at - before < MIN_GROUP) return false;
    before = at;
  }
  return true;
}

export function isAllDigits(digits: number, length: number): boolean {
  const all = (1 << length) - 1;
  return (digits & all) === all;
}

import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isAsciiAlphanumeric, isAsciiLetter, isDigit } from '../normalize/characters.ts';
import { isIntroduced } from './phone-introduction.ts';
import { PHONE_PLACEHOLDER } from './placeholder.ts';
import type { Finder } from './span.ts';

const PLUS = 0x2b;
const OPEN = 0x28;

/** E.164 allows 15 digits; an international prefix and a bracketed trunk zero may precede them. */
const MIN_DIGITS = 7;
const MAX_DIGITS = 18;
const MAX_GROUPS = 9;
/** So many digits can be a whole number: a group `0…` after them begins the next number of a list. */
const COMPLETE_DIGITS = 9;

/**
 * A lookup in libphonenumber takes 4–20 µs, with the metadata `max` (157 kB) as with `min` (83 kB). `min`
 * also accepts numbers of a valid length in an unassigned range, which is the safer error here. A usual text
 * has a handful of candidates; beyond this number every candidate of the right shape counts as a phone
 * number, so that a text of 1 MiB takes at most some 20 ms.
 */
const MAX_LOOKUPS = 256;

/** Regions whose national numbers begin with 0 or a bracketed area code; the most permissive plan first. */
const TRUNK_REGIONS: readonly CountryCode[] = ['DE', 'GB', 'FR', 'IT', 'JP', 'AU', 'IN', 'BR', 'TR', 'CN'];
/**
 * Regions for a number that a word such as `Tel.` introduces, so that its shape is not needed as evidence.
 */
const INTRODUCED_REGIONS: readonly CountryCode[] = [
  'US',
  'DE',
  'ES',
  'PL',
  'DK',
  'CN',
  'IN',
  'BR',
  'FR',
  'PT',
  'MX',
];

type Group = { readonly start: number; readonly end: number };
type Bounds = { readonly from: number; readonly to: number };

/**
 * Returns a finder of phone numbers for one text: it selects candidates by their shape in one pass, and
 * libphonenumber decides. The finder counts its lookups across the ranges of the text, so it is for one text
 * only.
 */
export function startPhoneFinder(): Finder {
  const budget = { left: MAX_LOOKUPS };
  return (text, from, to, spans) => {
    let settled = from;
    for (let index = from; index < to; index += 1) {
      const code = text.charCodeAt(index);
      if (!isDigit(code) && code !== PLUS && code !== OPEN) continue;
      const groups = mayBegin(text, index, settled) ? readGroups(text, index, to) : [];
      const end = phoneEnd(text, groups, { start: index, from: settled, to, budget });
      if (end !== undefined) {
        spans.push({ start: index, end, write: () => PHONE_PLACEHOLDER });
        settled = end;
        index = end - 1;
      } else if (isDigit(code)) {
        while (index + 1 < to && isDigit(text.charCodeAt(index + 1))) index += 1;
      }
    }
  };
}

/**
 * A number inside a word, an amount, a decimal or an id (`evt_015…`, `€015…`, `#015…`) is not a phone number.
 */
function mayBegin(text: string, index: number, from: number): boolean {
  if (index === from) return true;
  const before = text.charCodeAt(index - 1);
  if (isAsciiAlphanumeric(before) || before === 0x5f) return false;
  if (text.charCodeAt(index) === PLUS) return before !== PLUS;
  const isAfterLetter = index - 1 > from && isAsciiLetter(text.charCodeAt(index - 2));
  if (text.charAt(index - 1) === '.') return isAfterLetter;
  return !'-/#$€£¥₹%@\\*,+'.includes(text.charAt(index - 1));
}

function readGroups(text: string, start: number, to: number): Group[] {
  const groups: Group[] = [];
  let digits = 0;
  let at = start;
  if (text.charCodeAt(at) === PLUS) at += 1;
  if (text.charCodeAt(at) === OPEN) at += 1;
  while (at < to && isDigit(text.charCodeAt(at)) && groups.length < MAX_GROUPS) {
    const groupStart = at;
    if (digits >= COMPLETE_DIGITS && /^ 0\d\d/.test(text.slice(at - 1, at + 3))) break;
    while (at < to && isDigit(text.charCodeAt(at)) && at - groupStart <= MAX_DIGITS) at += 1;
    digits += at - groupStart;
    if (digits > MAX_DIGITS) break;
    groups.push({ start: groupStart, end: at });
    at += separatorLength(text, at, to);
  }
  // One digit too many was read: the last group is the beginning of something longer.
  return withoutTail(text, groups, to);
}

/**
 * One hyphen, dot, slash or space; brackets and spaces around it. A full stop before a space ends a sentence.
 */
function separatorLength(text: string, at: number, to: number): number {
  let length = 0;
  let signs = 0;
  while (at + length < to && length < 3) {
    const sign = text.charAt(at + length);
    if ('-./'.includes(sign)) signs += 1;
    else if (!' ()\u00a0'.includes(sign)) break;
    if (signs > 1 || (sign === '.' && ' \u00a0'.includes(text.charAt(at + length + 1)))) return 0;
    length += 1;
  }
  return length;
}

/** Drops a last group that continues as a letter, a colon or a percent sign: `7abc`, `10:30`, `20%`. */
function withoutTail(text: string, groups: Group[], to: number): Group[] {
  const last = groups.at(-1);
  if (last === undefined || last.end >= to) return groups;
  const next = text.charAt(last.end);
  const isTime = next === ':' && isDigit(text.charCodeAt(last.end + 1));
  const runsOn =
    isAsciiAlphanumeric(text.charCodeAt(last.end)) && !/^x\d/i.test(text.slice(last.end, last.end + 2));
  return isTime || runsOn || next === '_' || next === '%' ? groups.slice(0, -1) : groups;
}

type PhoneSearch = Bounds & { readonly start: number; readonly budget: { left: number } };

function phoneEnd(text: string, groups: readonly Group[], search: PhoneSearch): number | undefined {
  if (digitCount(groups) < MIN_DIGITS) return undefined;
  const end = isInternational(text, groups, search.start)
    ? internationalEnd(text, groups, search)
    : nationalEnd(text, groups, search);
  return end === undefined ? undefined : extensionEnd(text, end, search.to);
}

function digitCount(groups: readonly Group[]): number {
  return groups.reduce((sum, group) => sum + group.end - group.start, 0);
}

function isInternational(text: string, groups: readonly Group[], start: number): boolean {
  const first = groups[0];
  if (text.charCodeAt(start) === PLUS) return true;
  if (first === undefined) return false;
  const digits = text.slice(first.start, first.end);
  return (digits.startsWith('00') && !digits.startsWith('000')) || digits === '011';
}

/**
 * Returns the longest valid run of groups; after a plus sign the longest run of a possible length is enough.
 */
function internationalEnd(text: string, groups: readonly Group[], search: PhoneSearch): number | undefined {
  const hasPlus = text.charCodeAt(search.start) === PLUS;
  let possible: number | undefined;
  for (let count = groups.length; count > 0; count -= 1) {
    const taken = groups.slice(0, count);
    const end = taken.at(-1)?.end;
    if (end === undefined || digitCount(taken) < MIN_DIGITS) break;
    search.budget.left -= 1;
    if (search.budget.left < 0) return end;
    const digits = taken.map((group) => text.slice(group.start, group.end)).join(' ');
    const number = parsePhoneNumberFromString(`+${hasPlus ? digits : digits.replace(/^(?:00|011)/, '')}`, {
      extract: false,
    });
    if (number?.isValid()) return end;
    if (hasPlus && possible === undefined && number?.isPossible()) possible = end;
  }
  return possible;
}

function nationalEnd(text: string, groups: readonly Group[], search: PhoneSearch): number | undefined {
  if (beginsWithDate(text, groups)) return undefined;
  const north = northAmericanEnd(text, groups, search);
  if (north !== undefined) return north;
  if (isIntroduced(text, search.from, search.start)) {
    return validEnd(text, groups, { ...search, regions: INTRODUCED_REGIONS }) ?? localEnd(text, groups);
  }
  return hasTrunkShape(text, groups, search.start)
    ? validEnd(text, groups, { ...search, regions: TRUNK_REGIONS })
    : undefined;
}

/** Returns whether the first three groups are a calendar date: `31.12.2024`, `2024-12-31`, `01/02/24`. */
function beginsWithDate(text: string, groups: readonly Group[]): boolean {
  const [first, second, third] = groups;
  if (first === undefined || second === undefined || third === undefined) return false;
  const separator = text.slice(first.end, second.start);
  if (!'-./'.includes(separator) || text.slice(second.end, third.start) !== separator) return false;
  const lengths = [first, second, third].map((group) => group.end - group.start).join('-');
  if (!['2-2-4', '4-2-2', '1-2-4', '2-1-4', '1-1-4'].includes(lengths)) return false;
  return Number(text.slice(second.start, second.end)) <= 31;
}

/**
 * Three, three and four digits: with hyphens, dots or a bracketed area code the shape alone is a phone
 * number.
 */
function northAmericanEnd(text: string, groups: readonly Group[], search: PhoneSearch): number | undefined {
  const hasTrunk = text.slice(groups[0]?.start, groups[0]?.end) === '1';
  const [area, exchange, line] = hasTrunk ? groups.slice(1) : groups;
  if (area === undefined || exchange === undefined || line === undefined) return undefined;
  if ([area, exchange, line].map((group) => group.end - group.start).join('-') !== '3-3-4') return undefined;
  if (text.slice(exchange.end, line.start) !== ' ' || text.charAt(area.end) === ')') return line.end;
  const taken = hasTrunk ? groups.slice(0, 4) : groups.slice(0, 3);
  return validEnd(text, taken, { ...search, regions: ['US'] });
}

/** A leading zero (`0151 …`, never the `0` of a decimal) or a bracketed area code. */
function hasTrunkShape(text: string, groups: readonly Group[], start: number): boolean {
  const first = groups[0];
  if (first === undefined) return false;
  const length = first.end - first.start;
  if (text.charCodeAt(start) === OPEN) return length >= 2 && length <= 5 && text.charAt(first.end) === ')';
  return text.charAt(first.start) === '0' && length >= 2 && !text.startsWith('00', first.start);
}

type RegionalSearch = PhoneSearch & { readonly regions: readonly CountryCode[] };

function validEnd(text: string, groups: readonly Group[], search: RegionalSearch): number | undefined {
  for (let count = groups.length; count > 0; count -= 1) {
    const taken = groups.slice(0, count);
    const end = taken.at(-1)?.end;
    if (end === undefined || digitCount(taken) < MIN_DIGITS) return undefined;
    const digits = taken.map((group) => text.slice(group.start, group.end)).join(' ');
    for (const defaultCountry of search.regions) {
      search.budget.left -= 1;
      if (search.budget.left < 0) return end;
      if (parsePhoneNumberFromString(digits, { defaultCountry, extract: false })?.isValid()) return end;
    }
  }
  return undefined;
}

/** A number within one area, `555-1234`, which no numbering plan can confirm. */
function localEnd(text: string, groups: readonly Group[]): number | undefined {
  const [exchange, line] = groups;
  if (exchange === undefined || line === undefined) return undefined;
  const isLocal = exchange.end - exchange.start === 3 && line.end - line.start === 4;
  return isLocal && '-. '.includes(text.charAt(exchange.end)) ? line.end : undefined;
}

function extensionEnd(text: string, end: number, to: number): number {
  const match = /^ ?(?:ext\.?|x|extension) ?\d{1,6}(?![\p{L}\d])/iu.exec(
    text.slice(end, Math.min(to, end + 20)),
  );
  return match === null ? end : end + match[0].length;
}

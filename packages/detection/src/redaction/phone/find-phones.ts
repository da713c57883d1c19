import type { CountryCode } from 'libphonenumber-js/min';
import { isAsciiAlphanumeric, isAsciiLetter, isDigit, isSpace } from '../../normalize/characters.ts';
import { isTableSign } from '../gap.ts';
import { PHONE_PLACEHOLDER } from '../placeholder.ts';
import type { Span } from '../span.ts';
import {
  CLOSE,
  type DigitGroups,
  endOfDigits,
  firstLengths,
  isPhoneSeparator,
  MIN_PHONE_DIGITS,
  OPEN,
  PLUS,
  readDigitGroups,
} from './digit-groups.ts';
import { NumberValidity } from './number-validity.ts';
import { isCalledOtherwise, isTimeOrList } from './other-number.ts';
import { introductionReach } from './phone-introduction.ts';
import { INTRODUCED_REGIONS, TRUNK_REGIONS } from './regions.ts';

/** A number inside an amount, a decimal, a path or an id (`€015…`, `#015…`, `a@015…`) is not a phone number. */
const NEVER_BEFORE = new Set(Array.from('-/#$€£¥₹%@\\*,+', (sign) => sign.charCodeAt(0)));
const MAX_BRACKETED_LENGTH = 5;
/** More groups of a national number between signs of a table are a list: `05,10,15,20,25`. */
const MAX_TABLE_GROUPS = 3;
const ZERO = 0x30;
const ONE = 0x31;
const EIGHT = 0x38;
const RUSSIAN = /^8(?:9\d\d|800|[34]\d\d)/;
const RUSSIAN_LENGTH = 11;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const UNDERSCORE = 0x5f;
const DATE_SIGNS = '-./_*,|\t\n';
const MAX_EXTENSION_LENGTH = 20;
const EXTENSION = /^ ?(?:ext\.?|x|extension) ?\d{1,6}(?![\p{L}\d])/iu;

/** Keeps compiled patterns, and nothing of a text. */
const validity = new NumberValidity();

/** Digits with separators between them, without a letter: a number never continues beyond them. */
type Cluster = {
  readonly end: number;
  /** Digits that were not yet looked at. */
  left: number;
  /** The last position at which a number counts as introduced. */
  introducedTo: number;
};

/**
 * Finds phone numbers: candidates are selected by their shape, and the numbering plans decide. Linear: a
 * candidate has at most 18 digits in 9 groups.
 */
export function findPhones(text: string, from: number, to: number, spans: Span[]): void {
  let settled = from;
  let cluster: Cluster = { end: from, left: 0, introducedTo: 0 };
  for (let index = from; index < to; ) {
    const code = text.charCodeAt(index);
    if (!isDigit(code) && code !== PLUS && code !== OPEN) {
      index += 1;
      continue;
    }
    if (index >= cluster.end) cluster = readCluster(text, index, { from: settled, to });
    if (cluster.left < MIN_PHONE_DIGITS) {
      index = cluster.end;
      continue;
    }
    const search = { start: index, from: settled, to, cluster };
    const isCandidate = mayBegin(text, index, settled) && hasPhoneShape(text, search);
    const end = isCandidate ? phoneEnd(text, search) : undefined;
    if (end !== undefined) {
      spans.push({ start: index, end, write: () => PHONE_PLACEHOLDER });
      settled = end;
      cluster.introducedTo = from - 1;
    }
    const next = end ?? endOfDigits(text, index, to);
    cluster.left -= digitsBetween(text, index, next);
    index = Math.max(next, index + 1);
  }
}

function readCluster(text: string, start: number, { from, to }: { from: number; to: number }): Cluster {
  let end = start + 1;
  let left = isDigit(text.charCodeAt(start)) ? 1 : 0;
  for (; end < to; end += 1) {
    const code = text.charCodeAt(end);
    if (isDigit(code)) left += 1;
    else if (!isPhoneSeparator(code)) break;
  }
  const introducedTo = left < MIN_PHONE_DIGITS ? from - 1 : introductionReach(text, from, start);
  return { end, left, introducedTo };
}

function digitsBetween(text: string, start: number, end: number): number {
  let digits = 0;
  for (let index = start; index < end; index += 1) if (isDigit(text.charCodeAt(index))) digits += 1;
  return digits;
}

function mayBegin(text: string, index: number, from: number): boolean {
  if (index === from) return true;
  const before = text.charCodeAt(index - 1);
  if (isAsciiAlphanumeric(before) || before === UNDERSCORE) return false;
  if (text.charCodeAt(index) === PLUS) return before !== PLUS;
  if (before === DOT) return index - 1 > from && isAsciiLetter(text.charCodeAt(index - 2));
  return !NEVER_BEFORE.has(before);
}

type PhoneSearch = {
  readonly start: number;
  /** What is before a number up to here may name it. */
  readonly from: number;
  readonly to: number;
  readonly cluster: Cluster;
};

/**
 * A first look at the first group, since most digits fail here: without a plus sign or an introduction a
 * number begins with `0`, or with an area code and an exchange of three digits, or with `1` before them.
 */
function hasPhoneShape(text: string, { start, to, cluster }: PhoneSearch): boolean {
  const code = text.charCodeAt(start);
  if (code === PLUS || start <= cluster.introducedTo) return true;
  const first = code === OPEN ? start + 1 : start;
  const [length, next] = firstLengths(text, first, to);
  if (next === 3 && (length === 3 || (length === 1 && text.charCodeAt(first) === ONE))) return true;
  if (code === EIGHT && (next === 3 || length === RUSSIAN_LENGTH)) return true;
  if (length < 2) return false;
  return text.charCodeAt(first) === ZERO || (code === OPEN && length <= MAX_BRACKETED_LENGTH);
}

function phoneEnd(text: string, search: PhoneSearch): number | undefined {
  const groups = readDigitGroups(text, search.start, search.to);
  if (groups.digits.length < MIN_PHONE_DIGITS || isAmount(groups)) return undefined;
  const end = isInternational(text, groups, search.start)
    ? internationalEnd(groups, text.charCodeAt(search.start) === PLUS)
    : nationalEnd(text, groups, search);
  return end === undefined ? undefined : extensionEnd(text, end, search.to);
}

/** `+1,234,567`, or in India `25,00,000`. */
function isAmount(groups: DigitGroups): boolean {
  if (groups.tableSign !== COMMA || groups.line > 1 || lengthOf(groups, 0) > 3) return false;
  const last = groups.starts.length - 1;
  return groups.starts.every((_, group) => {
    const length = lengthOf(groups, group);
    return group === 0 || length === 3 || (length === 2 && group < last);
  });
}

function isInternational(text: string, groups: DigitGroups, start: number): boolean {
  if (text.charCodeAt(start) === PLUS) return true;
  const { digits } = groups;
  return (
    (lengthOf(groups, 0) >= 2 &&
      digits.startsWith('00') &&
      (digits[2] !== '0' || lengthOf(groups, 0) === 2)) ||
    (lengthOf(groups, 0) === 3 && digits.startsWith('011'))
  );
}

/** The number of digits of a group; 0 without such a group. */
function lengthOf({ starts, ends }: DigitGroups, group: number): number {
  return (ends[group] ?? 0) - (starts[group] ?? 0);
}

/**
 * Returns the longest valid run of groups; after a plus sign the longest run of a possible length is enough.
 */
function internationalEnd(groups: DigitGroups, hasPlus: boolean): number | undefined {
  const prefix = hasPlus ? 0 : groups.digits.startsWith('00') ? 2 : 3;
  let possible: number | undefined;
  const valid = longestRun(groups, (digits, end) => {
    const outcome = validity.ofInternational(digits.slice(prefix));
    if (hasPlus && outcome === 'possible') possible = Math.max(possible ?? 0, end);
    return outcome === 'valid';
  });
  return valid ?? possible;
}

type RunFilter = (digits: string, end: number) => boolean;

/**
 * Returns the end of the longest run of groups that has enough digits and that is accepted. If one ends before a tab, a line
 * end or a sign of a table, a number on the other side is not of it: `+49 30 123456\n25 people`.
 */
function longestRun(groups: DigitGroups, isAccepted: RunFilter): number | undefined {
  const { line, ends } = groups;
  const within = line < ends.length ? longestOf(groups, line, isAccepted) : undefined;
  return within ?? longestOf(groups, ends.length, isAccepted);
}

function longestOf(groups: DigitGroups, count: number, isAccepted: RunFilter): number | undefined {
  let { digits } = groups;
  for (let last = groups.ends.length - 1; last >= count; last -= 1) {
    digits = digits.slice(0, digits.length - lengthOf(groups, last));
  }
  for (let last = count - 1; last >= 0 && digits.length >= MIN_PHONE_DIGITS; last -= 1) {
    const end = groups.ends[last];
    if (end !== undefined && isAccepted(digits, end)) return end;
    digits = digits.slice(0, digits.length - lengthOf(groups, last));
  }
  return undefined;
}

function nationalEnd(text: string, groups: DigitGroups, search: PhoneSearch): number | undefined {
  if (beginsWithDate(text, groups)) return undefined;
  const isIntroduced = search.start <= search.cluster.introducedTo;
  if (
    !isIntroduced &&
    (isTimeOrList(text, groups, search.to) || isCalledOtherwise(text, search.start, search.from))
  )
    return undefined;
  const russian = russianEnd(text, groups, search.start);
  if (russian !== undefined) return russian;
  const north = northAmericanEnd(text, groups);
  if (north !== undefined) return north;
  if (search.start <= search.cluster.introducedTo) {
    return validEnd(groups, INTRODUCED_REGIONS) ?? localEnd(text, groups);
  }
  if (groups.tableSign !== 0 && groups.line === 1 && groups.starts.length > MAX_TABLE_GROUPS)
    return undefined;
  return hasTrunkShape(text, groups, search.start) ? validEnd(groups, TRUNK_REGIONS) : undefined;
}

/** Returns whether the first three groups are a calendar date: `31.12.2024`, `2024-12-31`, `01|02|24`. */
function beginsWithDate(text: string, groups: DigitGroups): boolean {
  const [first, second, third] = [lengthOf(groups, 0), lengthOf(groups, 1), lengthOf(groups, 2)];
  const isYearFirst = first === 4 && second === 2 && third === 2;
  const isYearLast = third === 4 && first >= 1 && first <= 2 && second >= 1 && second <= 2;
  if (!isYearFirst && !isYearLast) return false;
  const { starts, ends } = groups;
  const separator = text.slice(ends[0], starts[1]);
  if (!DATE_SIGNS.includes(separator) || text.slice(ends[1], starts[2]) !== separator) return false;
  return Number(text.slice(starts[1], ends[1])) <= 31;
}

/**
 * Three, three and four digits: with hyphens, dots or a bracketed area code the shape alone is a phone
 * number.
 */
function northAmericanEnd(text: string, groups: DigitGroups): number | undefined {
  const area = lengthOf(groups, 0) === 1 && groups.digits.startsWith('1') ? 1 : 0;
  if (lengthOf(groups, area) !== 3 || lengthOf(groups, area + 1) !== 3 || lengthOf(groups, area + 2) !== 4) {
    return undefined;
  }
  const { starts, ends, digits } = groups;
  const end = ends[area + 2];
  const isSpaced = text.slice(ends[area + 1], starts[area + 2]) === ' ' || groups.line < area + 3;
  if (!isSpaced || text.charCodeAt(ends[area] ?? 0) === CLOSE) return end;
  return validity.isValidIn('US', digits.slice(0, area + 10)) ? end : undefined;
}

/** A leading zero (`0151 …`, never the `0` of a decimal) or a bracketed area code. */
function hasTrunkShape(text: string, groups: DigitGroups, start: number): boolean {
  const length = lengthOf(groups, 0);
  if (text.charCodeAt(start) === OPEN) {
    return length >= 2 && length <= MAX_BRACKETED_LENGTH && text.charCodeAt(groups.ends[0] ?? 0) === CLOSE;
  }
  return length >= 2 && groups.digits.startsWith('0') && !groups.digits.startsWith('00');
}

/** The prefix 8 of Russia and Kazakhstan, before a mobile number or one that is free of charge. */
function russianEnd(text: string, groups: DigitGroups, start: number): number | undefined {
  if (text.charCodeAt(start) !== EIGHT || !RUSSIAN.test(groups.digits)) return undefined;
  return longestRun(groups, (digits) => digits.length === RUSSIAN_LENGTH && validity.isValidIn('RU', digits));
}

function validEnd(groups: DigitGroups, regions: readonly CountryCode[]): number | undefined {
  return longestRun(groups, (digits) => regions.some((region) => validity.isValidIn(region, digits)));
}

/** A number within one area, `555-1234`, which no numbering plan can confirm. */
function localEnd(text: string, groups: DigitGroups): number | undefined {
  if (lengthOf(groups, 0) !== 3 || lengthOf(groups, 1) !== 4) return undefined;
  const separator = text.charCodeAt(groups.ends[0] ?? 0);
  const isUsual = separator === HYPHEN || separator === DOT || isSpace(separator) || isTableSign(separator);
  return isUsual ? groups.ends[1] : undefined;
}

function extensionEnd(text: string, end: number, to: number): number {
  const next = text.charCodeAt(end) | 0x20;
  if (end >= to || (next !== 0x20 && next !== 0x65 && next !== 0x78)) return end;
  const match = EXTENSION.exec(text.slice(end, Math.min(to, end + MAX_EXTENSION_LENGTH)));
  return match === null ? end : end + match[0].length;
}

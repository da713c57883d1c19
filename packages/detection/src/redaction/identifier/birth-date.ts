import { toNameKey } from '../../lexicon/name-key.ts';
import { isDigit, isLetter } from '../../normalize/characters.ts';
import { isDayOfYear } from './checksums.ts';
import type { NumberRange } from './document-number.ts';

const MAX_DATE_LENGTH = 48;
const SEPARATOR = String.raw`(?:\s?[./\-–,·_*| ]\s?|\s{1,2})`;
/** `17.05.1980`, `1980-05-17`, `5/17/80`, `17 05 1980`. */
const NUMERIC = new RegExp(
  `^(\\d{1,4})${SEPARATOR}(\\d{1,2})${SEPARATOR}(\\d{4}|\\d{2})(?![\\d\\p{L}])`,
  'u',
);
/** `17051980`, `19800517`. */
const JOINED = /^(?:(\d{2})(\d{2})(?:19|20)\d{2}|(?:19|20)\d{2}(\d{2})(\d{2}))(?![\d\p{L}])/u;
const CJK = /^\d{4} ?年 ?\d{1,2} ?月 ?\d{1,2} ?日/;
const DAY_FIRST =
  /^(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?(?:[\s-]{1,2}(?:de|of|do|d))?[\s-]{1,2}(\p{L}{3,14})\.?,?(?:[\s-]{1,2}(?:de|del|of|do))?[\s-]{0,2}'?(\d{4}|\d{2})(?![\d\p{L}])/u;
const MONTH_FIRST = /^(\d{1,2})(?:st|nd|rd|th)?,?\s{1,2}(\d{4})(?![\d\p{L}])/u;
const MAX_MONTH_LENGTH = 14;

/** The first three letters of each month in nine languages, without accents; longer where another word begins so. */
const MONTHS: ReadonlySet<string> = new Set(
  `jan feb mar apr may jun jul aug sep oct nov dec mrz mai okt dez janv fev mars avr juin juil aou sept ene abr ago dic
   gen mag giu lug set ott fevr maio out mei maa mrt sty lut kwi maj cze lip sie wrz paz lis gru led uno bre dub kve cvn srp zar rij
   mae jul avg`.split(/\s+/),
);

/** Returns the date with day, month and year that has a number at `start`; `from` is the end of the word for a birth. */
export function birthDateAround(
  text: string,
  start: number,
  from: number,
  to: number,
): NumberRange | undefined {
  const ahead = text.slice(start, Math.min(to, start + MAX_DATE_LENGTH));
  const length = dateLength(ahead);
  if (length > 0) return { start, end: start + length };
  const month = monthBefore(text, start, from);
  const match = month === undefined ? null : MONTH_FIRST.exec(ahead);
  return match === null || month === undefined ? undefined : { start: month, end: start + match[0].length };
}

function dateLength(ahead: string): number {
  const cjk = CJK.exec(ahead);
  if (cjk !== null) return cjk[0].length;
  const named = DAY_FIRST.exec(ahead);
  if (named !== null && isMonth(named[2] ?? '') && Number(named[1]) <= 31) return named[0].length;
  const numeric = NUMERIC.exec(ahead);
  if (numeric !== null && isNumericDate(numeric.slice(1, 4).map(Number), numeric[1]?.length ?? 0))
    return numeric[0].length;
  const joined = JOINED.exec(ahead);
  if (joined === null) return 0;
  const [first, second] = [Number(joined[1] ?? joined[4]), Number(joined[2] ?? joined[3])];
  return isDayOfYear(first, second) ? joined[0].length : 0;
}

/** The order of day and month depends on the country. */
function isNumericDate([first = 0, second = 0, third = 0]: readonly number[], width: number): boolean {
  if (width === 4) return isDayOfYear(third, second) || isDayOfYear(second, third);
  if (width > 2) return false;
  return (
    isDayOfYear(first, second) || isDayOfYear(second, first) || (first > 31 && isDayOfYear(third, second))
  );
}

function isMonth(word: string): boolean {
  const key = toNameKey(word);
  return MONTHS.has(key.slice(0, 3)) || MONTHS.has(key.slice(0, 4));
}

/** Returns the start of the month before a day: `May 17, 1980`. */
function monthBefore(text: string, start: number, from: number): number | undefined {
  let end = start;
  while (
    end > from &&
    start - end < 3 &&
    !isLetter(text.charCodeAt(end - 1)) &&
    !isDigit(text.charCodeAt(end - 1))
  ) {
    end -= 1;
  }
  let first = end;
  while (first > from && end - first <= MAX_MONTH_LENGTH && isLetter(text.charCodeAt(first - 1))) first -= 1;
  return end - first >= 3 && isMonth(text.slice(first, end)) ? first : undefined;
}

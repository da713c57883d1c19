import { toNameKey } from '../../lexicon/name-key.ts';
import { isAsciiLetter, isDigit, isLetter } from '../../normalize/characters.ts';
import { endsLine, isWordGap } from '../gap.ts';
import type { NumberRange } from './document-number.ts';
import {
  CAPITAL_STREET_BEGINNINGS,
  DOTTED_STREET_BEGINNINGS,
  ENGLISH_STREETS,
  FRENCH_STREETS,
  NOT_IN_STREET_NAMES,
  NOT_STREET_NAMES,
  NOT_STREETS,
  STREET_BEGINNINGS,
  STREET_ENDINGS,
  STREET_PARTICLES,
  WEAK_ENGLISH_STREETS,
  WEAK_FRENCH_STREETS,
  WEAK_STREET_ENDINGS,
} from './street-words.ts';

const MAX_NUMBER_LENGTH = 5;
const MAX_NAME_WORDS = 6;
const MAX_WORD_LENGTH = 40;
const MIN_WEAK_NAME_LENGTH = 7;
const MIN_NAME_LENGTH = 6;
const MAX_SMALL_WORDS = 2;

/** `12`, `12a`, `12 bis`, `12-14`, `5/7`, `12 B`; `nº 12` before it. */
const NUMBER =
  /^\d{1,5}(?:[a-z](?![\p{L}\d])| [a-z](?![\p{L}\d.])| ?(?:bis|ter|quater)(?!\p{L}))?(?: ?[-/–] ?\d{1,4}[a-z]?(?![\d\p{L}]))?/iu;
/** What follows is counted or paid, or is a time: the number is not of a house. */
const IS_AMOUNT =
  /^ ?(?:[%€$£₺:]|[.,]\d|(?:eur|euros?|usd|gbp|uhr|min|h|km|m(?!\.)|std|tage?|mal|x)(?!\p{L}))/iu;
const ENGLISH_UNIT =
  /^(?: (?:[NS][EW]?|[EW])(?![\w]))?(?:,? (?:(?:apt|apartment|flat|unit|suite|ste)\.? ?[#\d]?\w{1,5}|#\d\w{0,4}))?/i;
const UNIT = /^ ?[/,]? ?(?:m\.?|mieszk\.?|lok\.?|w(?:hg|ohnung)\.?|int\.?|interno|apto?\.?|bus) ?\d\w{0,3}/i;
const LOOKAHEAD = 24;
/** `Calle Mayor, nº 12`, `Hauptstraße Nr. 5`. */
const NUMBER_SIGNS = new Set(['n', 'no', 'nr', 'num', 'numero', 'number']);
const NUMBER_GAP = ',.\u00ba\u00b0';
const WORD_GAP = ".'-";
const MAX_GAP_LENGTH = 3;

type Word = {
  readonly start: number;
  readonly end: number;
  readonly key: string;
  readonly isCapital: boolean;
};
type Bounds = { readonly from: number; readonly to: number };

/** Returns the street and house number around the number at `start`: by a word for a street, in eleven languages. */
export function streetAround(
  text: string,
  start: number,
  end: number,
  bounds: Bounds,
): NumberRange | undefined {
  if (end - start > MAX_NUMBER_LENGTH) return undefined;
  const first = streetBefore(text, start, bounds.from);
  const next = nextWord(text, end, bounds.to);
  // Most numbers are beside no word that could be of a street: the patterns are slower.
  if (first === undefined && (next === undefined || isNoStreet(next))) return undefined;
  const number = NUMBER.exec(text.slice(start, Math.min(bounds.to, start + LOOKAHEAD)))?.[0];
  if (number === undefined || start + number.length < end) return undefined;
  const numberEnd = start + number.length;
  const rest = text.slice(numberEnd, Math.min(bounds.to, numberEnd + LOOKAHEAD));
  if (first !== undefined && !IS_AMOUNT.test(rest)) {
    return { start: first, end: numberEnd + (UNIT.exec(rest)?.[0].length ?? 0) };
  }
  const last = streetAfter(text, numberEnd, bounds.to);
  return last === undefined ? undefined : { start, end: last };
}

/** Returns the word after a house number or after the letter of one. */
function nextWord(text: string, position: number, to: number): Word | undefined {
  let at = position;
  while (at < to && at - position < MAX_GAP_LENGTH && isNumberGap(text, at)) at += 1;
  return at === position ? undefined : wordAfter(text, at, to);
}

function isNoStreet({ key, isCapital, start, end }: Word): boolean {
  return !isCapital && end - start > 1 && NOT_IN_STREET_NAMES.has(key);
}

/** Returns the start of the street before a house number, across `, `, `nº` and `Nr.`. */
function streetBefore(text: string, position: number, from: number): number | undefined {
  const end = withoutGap(text, position, from);
  const hasComma = text.slice(end, position - 1).includes(',');
  let last = wordBefore(text, end, from);
  if (last !== undefined && NUMBER_SIGNS.has(last.key)) {
    last = wordBefore(text, withoutGap(text, last.start, from), from);
  }
  if (last === undefined) return undefined;
  // In these languages no comma precedes a house number: `Hotel Lindenhof, 9 May`.
  return (hasComma ? undefined : endingStart(text, last, from)) ?? beginningStart(text, last, from);
}

function withoutGap(text: string, position: number, from: number): number {
  let at = position;
  while (at > from && position - at < MAX_GAP_LENGTH && isNumberGap(text, at - 1)) at -= 1;
  return at;
}

function isNumberGap(text: string, at: number): boolean {
  return isWordGap(text, at) || NUMBER_GAP.includes(text.charAt(at));
}

/** `Hauptstraße 5`, `Lange Str. 5`, `Am Alten Weg 5`. */
function endingStart(text: string, last: Word, from: number): number | undefined {
  const { key } = last;
  const strong = STREET_ENDINGS.exec(key);
  const ending = strong ?? WEAK_STREET_ENDINGS.exec(key);
  if (ending === null || NOT_STREETS.has(key) || (strong === null && !last.isCapital)) return undefined;
  const isCompound =
    ending.index > 0 && key.length >= (strong === null ? MIN_WEAK_NAME_LENGTH : MIN_NAME_LENGTH);
  let first: Word | undefined = last;
  let start: number | undefined = isCompound ? last.start : undefined;
  while (first !== undefined && first.start > from) {
    const isHyphen: boolean = text.charAt(first.start - 1) === '-';
    if (!isHyphen && (isCompound || !isWordGap(text, first.start - 1))) break;
    const before = wordBefore(text, first.start - 1, from);
    if (before?.end !== first.start - 1 || !before.isCapital || !last.isCapital) break;
    start = before.start;
    first = isHyphen || text.charAt(before.start - 1) === '-' ? before : undefined;
  }
  return start;
}

/** `Calle de la Cruz 5`, `ul. Długa 5`, `C/ Mayor 12`. */
function beginningStart(text: string, last: Word, from: number): number | undefined {
  let word: Word | undefined = last;
  let hasName = false;
  for (let words = 0; words < MAX_NAME_WORDS && word !== undefined; words += 1) {
    if (hasName && isBeginning(text, word)) return NOT_STREET_NAMES.has(last.key) ? undefined : word.start;
    if (word.isCapital) hasName = true;
    else if (!STREET_PARTICLES.has(word.key)) return undefined;
    word = wordBefore(text, beforeGap(text, word.start, from), from);
  }
  return undefined;
}

function isBeginning(text: string, word: Word): boolean {
  const next = text.charAt(word.end);
  if (word.key === 'c') return next === '/';
  if (!STREET_BEGINNINGS.has(word.key)) return false;
  if (DOTTED_STREET_BEGINNINGS.has(word.key)) return next === '.';
  return word.isCapital || !CAPITAL_STREET_BEGINNINGS.has(word.key);
}

/** Words of a name are separated by one to three signs: a space, a full stop and a space, a slash, a line end and an indent. */
function beforeGap(text: string, position: number, from: number): number {
  let at = position;
  while (
    at > from &&
    position - at < MAX_GAP_LENGTH &&
    (text.charAt(at - 1) === '/' || isNameGap(text, at - 1))
  )
    at -= 1;
  return at;
}

function isNameGap(text: string, at: number): boolean {
  return isWordGap(text, at) || WORD_GAP.includes(text.charAt(at));
}

/** Returns the end of the street after a house number. */
function streetAfter(text: string, position: number, to: number): number | undefined {
  const ahead = text.slice(position, Math.min(to, position + MAX_GAP_LENGTH));
  const gap = /^,?[\s\u0085]{1,3}|^[,_*|]/.exec(ahead)?.[0].length ?? 0;
  if (gap === 0) return undefined;
  const first = wordAfter(text, position + gap, to);
  if (first === undefined) return undefined;
  const isFrench = FRENCH_STREETS.has(first.key);
  if (isFrench || WEAK_FRENCH_STREETS.has(first.key)) {
    const end = frenchEnd(text, first, to, isFrench);
    if (end !== undefined) return end;
  }
  return englishEnd(text, first, to);
}

/** `12 rue de la Paix`, `3, av. Foch`. */
function frenchEnd(text: string, type: Word, to: number, allowsSmall: boolean): number | undefined {
  let end: number | undefined;
  let at = type.end;
  for (let words = 0; words < MAX_NAME_WORDS; words += 1) {
    const next = afterGap(text, at, to);
    const word = end !== undefined && endsLine(text, at, next) ? undefined : wordAfter(text, next, to);
    if (word === undefined || word.start === at) break;
    const isPart = word.isCapital || (allowsSmall && end === undefined && !STREET_PARTICLES.has(word.key));
    if (!isPart && !STREET_PARTICLES.has(word.key)) break;
    if (isPart) end = word.end;
    at = word.end;
  }
  return end;
}

/** `221B Baker Street`, `10 Downing St.`, `12 high road`. */
function englishEnd(text: string, first: Word, to: number): number | undefined {
  let word: Word | undefined = first;
  let small = 0;
  for (let words = 0; words < MAX_NAME_WORDS - 1 && word !== undefined; words += 1) {
    const isStreet = ENGLISH_STREETS.has(word.key) || (word.isCapital && WEAK_ENGLISH_STREETS.has(word.key));
    if (words > 0 && isStreet && (small === 0 || ENGLISH_STREETS.has(word.key))) {
      const further = wordAfter(text, word.end + 1, to);
      const continues = further?.isCapital && ENGLISH_STREETS.has(further.key);
      if (!continues) return withUnit(text, word.end, to);
    }
    if (!word.isCapital) small += 1;
    if (small > MAX_SMALL_WORDS || (!word.isCapital && NOT_IN_STREET_NAMES.has(word.key))) return undefined;
    const at: number = afterGap(text, word.end, to);
    word = at === word.end ? undefined : wordAfter(text, at, to);
  }
  return undefined;
}

function withUnit(text: string, end: number, to: number): number {
  const unit = ENGLISH_UNIT.exec(text.slice(end, Math.min(to, end + LOOKAHEAD)));
  return unit === null ? end : end + unit[0].length;
}

function afterGap(text: string, position: number, to: number): number {
  let at = position;
  while (at < to && at - position < MAX_GAP_LENGTH && isNameGap(text, at)) at += 1;
  return at;
}

function wordBefore(text: string, position: number, from: number): Word | undefined {
  let end = position;
  if (end > from && text.charAt(end - 1) === '.') end -= 1;
  let start = end;
  while (start > from && end - start <= MAX_WORD_LENGTH && isLetter(text.charCodeAt(start - 1))) start -= 1;
  return start === end || (start > from && isDigit(text.charCodeAt(start - 1)))
    ? undefined
    : wordOf(text, start, end);
}

/** Ordinals are words too: `350 5th Avenue`. */
function wordAfter(text: string, position: number, to: number): Word | undefined {
  let end = position;
  while (end < to && end - position <= MAX_WORD_LENGTH && isPartOfWord(text.charCodeAt(end))) end += 1;
  if (end === position) return undefined;
  const isNumber = isDigit(text.charCodeAt(position));
  if (isNumber && !/^\d{1,3}(?:st|nd|rd|th)$/i.test(text.slice(position, end))) return undefined;
  return isNumber ? { start: position, end, key: '', isCapital: true } : wordOf(text, position, end);
}

function isPartOfWord(code: number): boolean {
  return isLetter(code) || isDigit(code);
}

function wordOf(text: string, start: number, end: number): Word {
  const first = text.charAt(start);
  const isCapital = isAsciiLetter(first.charCodeAt(0)) ? first < 'a' : first !== first.toLowerCase();
  return { start, end, key: toNameKey(text.slice(start, end)), isCapital };
}

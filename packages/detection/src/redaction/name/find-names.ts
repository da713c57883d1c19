import { FAMILY_NAMES, LEADING_FAMILY_NAMES } from '../../lexicon/family-names.ts';
import { AMBIGUOUS_GIVEN_NAMES, GIVEN_NAMES } from '../../lexicon/given-names.ts';
import { isDigit, isLetter } from '../../normalize/characters.ts';
import { NAME_PLACEHOLDER } from '../placeholder.ts';
import type { Span } from '../span.ts';
import {
  DETERMINERS,
  GERMAN_HONORIFICS,
  HONORIFICS,
  INTRODUCING_PHRASES,
  NAMING_PHRASES,
  PARTICLES,
} from './name-cues.ts';
import { firstPart, isOrdinary, type NameParts, readNameParts } from './name-parts.ts';
import { BRAND_NAMES, ORGANIZATION_WORDS } from './ordinary-words.ts';
import { keyOf, nextWord, type Word, wordAt } from './word.ts';

const MAX_WORDS_BEFORE = 4;
const MAX_SURNAMES = 3;
/** One or two syllables of Hanyu Pinyin, as Chinese given names are written. */
const PINYIN =
  /^(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?(?:iong|iang|uang|ang|eng|ing|ong|ian|iao|uai|uan|ai|ei|ao|ou|an|en|in|un|ia|ie|iu|ua|uo|ui|ue|a|o|e|i|u)){1,2}$/;
const MAX_PINYIN_LENGTH = 12;

/**
 * Finds personal names by a form of address, an introducing phrase, or a known given name before a surname. A
 * given name alone is kept: too many are words, places and products.
 */
export function findNames(text: string, from: number, to: number, spans: Span[]): void {
  let before: Word[] = [];
  for (let index = from; index < to; ) {
    const code = text.charCodeAt(index);
    if (!isLetter(code)) {
      if (endsContext(text, index, before.at(-1))) before = [];
      index += 1;
      continue;
    }
    const word = wordAt(text, index, from, to);
    const end = word.isCapitalized && word.isFree ? nameEnd(text, word, before, to) : undefined;
    if (end === undefined) {
      before.push(word);
      if (before.length > MAX_WORDS_BEFORE) before.shift();
    } else {
      spans.push({ start: word.start, end, write: () => NAME_PLACEHOLDER });
      before = [];
    }
    index = end ?? word.end;
  }
}

/** A comma or colon may separate an introduction from the name; the end of a sentence or a number may not. */
function endsContext(text: string, index: number, last: Word | undefined): boolean {
  const sign = text.charAt(index);
  if (sign === '.') return last !== undefined && !HONORIFICS.has(keyOf(text, last));
  return '!?;()[]{}"/\\\n\r'.includes(sign) || isDigit(text.charCodeAt(index));
}

function nameEnd(text: string, word: Word, before: readonly Word[], to: number): number | undefined {
  const key = keyOf(text, word);
  const addressed = addressedEnd(text, { word, key, before, to });
  if (addressed !== undefined) return addressed;
  const isGiven = GIVEN_NAMES.has(key) || GIVEN_NAMES.has(firstPart(key)) || AMBIGUOUS_GIVEN_NAMES.has(key);
  if (!isGiven && !LEADING_FAMILY_NAMES.has(key)) return undefined;
  const parts = readNameParts(text, word, to, MAX_SURNAMES);
  if (isOrganization(text, key, parts, to)) return undefined;
  const isIntroduced = follows(text, before, INTRODUCING_PHRASES);
  if (isGiven && isFullName({ key, parts, isIntroduced }, text, before.at(-1))) return parts.end;
  if (LEADING_FAMILY_NAMES.has(key) && isAsianGivenName(parts.keys[0])) return parts.end;
  return isGiven && isIntroduced && !AMBIGUOUS_GIVEN_NAMES.has(key) ? word.end : undefined;
}

type Candidate = {
  readonly word: Word;
  readonly key: string;
  readonly before: readonly Word[];
  readonly to: number;
};

function addressedEnd(text: string, { word, key, before, to }: Candidate): number | undefined {
  const title = before.findLast((earlier) => !PARTICLES.has(keyOf(text, earlier)));
  if (title === undefined || isOrdinary(key) || HONORIFICS.has(key)) return undefined;
  if (isHonorific(text, title)) {
    const isGerman = GERMAN_HONORIFICS.has(keyOf(text, title));
    const max = !isGerman || GIVEN_NAMES.has(firstPart(key)) ? MAX_SURNAMES - 1 : 0;
    return readNameParts(text, word, to, max).end;
  }
  return follows(text, before, NAMING_PHRASES) ? readNameParts(text, word, to, MAX_SURNAMES).end : undefined;
}

/** Short titles are words too (`m`, `pan`, `bay`): they count with a capital or a full stop. */
function isHonorific(text: string, title: Word): boolean {
  const key = keyOf(text, title);
  if (!HONORIFICS.has(key)) return false;
  const hasStop = text.charAt(title.end) === '.';
  if (key === 'm' || key === 'fr' || key === 'hr' || key === 'ing' || key === 'sig') return hasStop;
  return title.isCapitalized || hasStop || title.end - title.start > 3;
}

function follows(text: string, before: readonly Word[], phrases: ReadonlySet<string>): boolean {
  let phrase = '';
  for (const word of before.toReversed()) {
    phrase = phrase === '' ? keyOf(text, word) : `${keyOf(text, word)} ${phrase}`;
    if (phrases.has(phrase)) return true;
  }
  return false;
}

function isOrganization(text: string, key: string, parts: NameParts, to: number): boolean {
  if (BRAND_NAMES.has([key, ...parts.keys].join(' '))) return true;
  const next = nextWord(text, parts.end, to);
  return next?.isCapitalized === true && ORGANIZATION_WORDS.has(keyOf(text, next));
}

type FullName = { readonly key: string; readonly parts: NameParts; readonly isIntroduced: boolean };

function isFullName(
  { key, parts, isIntroduced }: FullName,
  text: string,
  previous: Word | undefined,
): boolean {
  const [surname] = parts.keys;
  if (surname === undefined) return false;
  if (!AMBIGUOUS_GIVEN_NAMES.has(key)) return true;
  if (previous !== undefined && DETERMINERS.has(keyOf(text, previous))) return false;
  return isIntroduced || parts.keys.some((part) => FAMILY_NAMES.has(part) || isPlainGivenName(part));
}

function isPlainGivenName(key: string): boolean {
  return GIVEN_NAMES.has(key) && !AMBIGUOUS_GIVEN_NAMES.has(key);
}

function isAsianGivenName(key: string | undefined): boolean {
  if (key === undefined) return false;
  if (GIVEN_NAMES.has(key) || LEADING_FAMILY_NAMES.has(key)) return true;
  return key.split('-').every((part) => part.length <= MAX_PINYIN_LENGTH && PINYIN.test(part));
}

import { isDigit, isLetter } from '../../normalize/characters.ts';
import { NAME_PLACEHOLDER } from '../placeholder.ts';
import type { Span } from '../span.ts';
import { INTRODUCING_PHRASES, NAMING_PHRASES } from './name-cues.ts';
import {
  AMBIGUOUS_GIVEN_NAME,
  BEGINS_BRAND,
  DETERMINER,
  ENDS_INTRODUCING_PHRASE,
  ENDS_NAMING_PHRASE,
  FAMILY_NAME,
  flagsOf,
  GERMAN_HONORIFIC,
  GIVEN_NAME,
  HONORIFIC,
  LEADING_FAMILY_NAME,
  ORGANIZATION,
  PARTICLE,
} from './name-lexicon.ts';
import { firstPart, isOrdinary, type NameLength, type NameParts, readNameParts } from './name-parts.ts';
import { BRAND_NAMES } from './ordinary-words.ts';
import { keyOf, nextWord, type Word, wordAt, wordFlags } from './word.ts';

const MAX_WORDS_BEFORE = 4;
/** So many words are kept before all but the last `MAX_WORDS_BEFORE` are dropped. */
const MAX_CONTEXT = 32;
const MAX_SURNAMES = 3;
/** Of a name after a form of address, of which at most three words may be in no list. */
const MAX_ADDRESSED = 6;
const ANY_SURNAMES: NameLength = { max: MAX_SURNAMES, unlisted: MAX_SURNAMES };
const DOT = 0x2e;
/** One or two syllables of Hanyu Pinyin, as Chinese given names are written. */
const PINYIN =
  /^(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?(?:iong|iang|uang|ang|eng|ing|ong|ian|iao|uai|uan|ai|ei|ao|ou|an|en|in|un|ia|ie|iu|ua|uo|ui|ue|a|o|e|i|u)){1,2}$/;
const MAX_PINYIN_LENGTH = 12;
/** These signs separate an introduction from what follows; a comma or colon does not. */
const CONTEXT_ENDS = new Set(Array.from('!?;()[]{}"/\\\n\r', (sign) => sign.charCodeAt(0)));
/** These titles are words or abbreviations of other things without a full stop. */
const DOTTED_TITLES = new Set(['m', 'fr', 'hr', 'ing', 'sig']);
/** `Sig.ra`, `Dott.ssa`: written after the full stop of a title. */
const FEMININE_ENDINGS = new Set(['ra', 'ssa']);

/**
 * Finds personal names by a form of address, an introducing phrase, or a known given name before a surname. A
 * given name alone is kept: too many are words, places and products.
 */
export function findNames(text: string, from: number, to: number, spans: Span[]): void {
  let before: Word[] = [];
  for (let index = from; index < to; ) {
    const code = text.charCodeAt(index);
    if (!isLetter(code)) {
      if (before.length > 0 && endsContext(text, code, before)) before = [];
      index += 1;
      continue;
    }
    const word = wordAt(text, index, from, to);
    const end = word.isCapitalized && word.isFree ? nameEnd(text, word, before, to) : undefined;
    if (end === undefined) {
      if (before.length >= MAX_CONTEXT) before = before.slice(1 - MAX_WORDS_BEFORE);
      before.push(word);
    } else {
      spans.push({ start: word.start, end, write: () => NAME_PLACEHOLDER });
      before = [];
    }
    index = end ?? word.end;
  }
}

/** The end of a sentence or a number ends the context; the full stop after a title does not. */
function endsContext(text: string, code: number, before: readonly Word[]): boolean {
  if (code === 0x20) return false;
  if (code !== DOT) return CONTEXT_ENDS.has(code) || isDigit(code);
  const last = before.at(-1);
  return last !== undefined && !(wordFlags(text, last) & HONORIFIC);
}

function nameEnd(text: string, word: Word, before: readonly Word[], to: number): number | undefined {
  const addressed = addressedEnd(text, word, { before, to });
  if (addressed !== undefined) return addressed;
  const key = keyOf(text, word);
  const flags = wordFlags(text, word);
  const isAmbiguous = (flags & AMBIGUOUS_GIVEN_NAME) !== 0;
  const isGiven = isAmbiguous || ((flags | flagsOf(firstPart(key))) & GIVEN_NAME) !== 0;
  const isLeading = (flags & LEADING_FAMILY_NAME) !== 0;
  if (!isGiven && !isLeading) return undefined;
  const parts = readNameParts(text, word, to, ANY_SURNAMES);
  if (isOrganization(text, key, parts, to)) return undefined;
  const isIntroduced = follows(text, before, INTRODUCING_PHRASES, ENDS_INTRODUCING_PHRASE);
  if (isGiven && isFullName({ isAmbiguous, parts, isIntroduced }, text, before.at(-1))) return parts.end;
  if (isLeading && isAsianGivenName(parts.keys[0])) return parts.end;
  return isGiven && isIntroduced && !isAmbiguous ? word.end : undefined;
}

type Context = { readonly before: readonly Word[]; readonly to: number };

function addressedEnd(text: string, word: Word, { before, to }: Context): number | undefined {
  const title = titleOf(text, before);
  if (title === undefined || wordFlags(text, word) & HONORIFIC || isOrdinary(keyOf(text, word)))
    return undefined;
  if (isHonorific(text, title)) return readNameParts(text, word, to, addressedLength(text, word, title)).end;
  return follows(text, before, NAMING_PHRASES, ENDS_NAMING_PHRASE)
    ? readNameParts(text, word, to, ANY_SURNAMES).end
    : undefined;
}

/** The last word that is not a particle. */
function titleOf(text: string, before: readonly Word[]): Word | undefined {
  const first = Math.max(0, before.length - MAX_WORDS_BEFORE);
  for (let index = before.length - 1; index >= first; index -= 1) {
    const word = before[index];
    if (word !== undefined && !(wordFlags(text, word) & PARTICLE)) return word;
  }
  return undefined;
}

/**
 * German capitalizes every noun (`Frau Müller Konto`). After a listed given name two words of any kind belong
 * to the name, after a listed surname none, after an unknown word one, since that word may be a given name.
 */
function addressedLength(text: string, word: Word, title: Word): NameLength {
  const max = MAX_SURNAMES - 1;
  if (!(wordFlags(text, title) & GERMAN_HONORIFIC)) return { max: MAX_ADDRESSED, unlisted: MAX_SURNAMES };
  const flags = wordFlags(text, word) | (flagsOf(firstPart(keyOf(text, word))) & GIVEN_NAME);
  if (flags & GIVEN_NAME) return { max, unlisted: max };
  return { max, unlisted: flags & FAMILY_NAME ? 0 : 1 };
}

/** Short titles are words too (`m`, `pan`, `bay`): they count with a capital or a full stop. */
function isHonorific(text: string, title: Word): boolean {
  if (text.charCodeAt(title.start - 1) === DOT && FEMININE_ENDINGS.has(keyOf(text, title))) return true;
  if (!(wordFlags(text, title) & HONORIFIC)) return false;
  const hasStop = text.charCodeAt(title.end) === DOT;
  if (DOTTED_TITLES.has(keyOf(text, title))) return hasStop;
  return title.isCapitalized || hasStop || title.end - title.start > 3;
}

function follows(
  text: string,
  before: readonly Word[],
  phrases: ReadonlySet<string>,
  endsPhrase: number,
): boolean {
  const last = before.at(-1);
  if (last === undefined || !(wordFlags(text, last) & endsPhrase)) return false;
  let phrase = '';
  const first = Math.max(0, before.length - MAX_WORDS_BEFORE);
  for (let index = before.length - 1; index >= first; index -= 1) {
    const word = before[index];
    if (word === undefined) break;
    phrase = phrase === '' ? keyOf(text, word) : `${keyOf(text, word)} ${phrase}`;
    if (phrases.has(phrase)) return true;
  }
  return false;
}

function isOrganization(text: string, key: string, parts: NameParts, to: number): boolean {
  if (flagsOf(key) & BEGINS_BRAND && BRAND_NAMES.has([key, ...parts.keys].join(' '))) return true;
  const next = nextWord(text, parts.end, to);
  return next?.isCapitalized === true && (wordFlags(text, next) & ORGANIZATION) !== 0;
}

type FullName = { readonly isAmbiguous: boolean; readonly parts: NameParts; readonly isIntroduced: boolean };

function isFullName(name: FullName, text: string, previous: Word | undefined): boolean {
  const { isAmbiguous, parts, isIntroduced } = name;
  if (parts.keys.length === 0) return false;
  if (!isAmbiguous) return true;
  if (previous !== undefined && wordFlags(text, previous) & DETERMINER) return false;
  return isIntroduced || parts.keys.some((part) => confirmsName(flagsOf(part)));
}

function confirmsName(flags: number): boolean {
  return (flags & FAMILY_NAME) !== 0 || (flags & (GIVEN_NAME | AMBIGUOUS_GIVEN_NAME)) === GIVEN_NAME;
}

function isAsianGivenName(key: string | undefined): boolean {
  if (key === undefined) return false;
  if (flagsOf(key) & (GIVEN_NAME | LEADING_FAMILY_NAME)) return true;
  return key.split('-').every((part) => part.length <= MAX_PINYIN_LENGTH && PINYIN.test(part));
}

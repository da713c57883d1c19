import { FAMILY_NAMES, LEADING_FAMILY_NAMES } from '../../lexicon/family-names.ts';
import { AMBIGUOUS_GIVEN_NAMES, GIVEN_NAMES } from '../../lexicon/given-names.ts';
import { MORE_GIVEN_NAMES } from './more-given-names.ts';
import {
  DETERMINERS,
  GERMAN_HONORIFICS,
  HONORIFICS,
  INTRODUCING_PHRASES,
  NAMING_PHRASES,
  PARTICLES,
} from './name-cues.ts';
import { BRAND_NAMES, ORDINARY_WORDS, ORGANIZATION_WORDS } from './ordinary-words.ts';
import { PUBLIC_FAMILY_NAMES } from './public-family-names.ts';
import { PUBLIC_GIVEN_NAMES } from './public-given-names.ts';

export const HONORIFIC = 1;
export const GERMAN_HONORIFIC = 2;
export const PARTICLE = 4;
export const DETERMINER = 8;
export const ORDINARY = 16;
export const ORGANIZATION = 32;
export const GIVEN_NAME = 64;
export const AMBIGUOUS_GIVEN_NAME = 128;
export const FAMILY_NAME = 256;
export const LEADING_FAMILY_NAME = 512;
/** The word is the last one of a phrase after which a name follows. */
export const ENDS_NAMING_PHRASE = 1024;
export const ENDS_INTRODUCING_PHRASE = 2048;
export const BEGINS_BRAND = 4096;

/** What is known about each word: one lookup instead of ten. */
const LEXICON = createLexicon();

/** Returns the flags of a word in the spelling of `toNameKey`; 0 for an unknown word. */
export function flagsOf(key: string): number {
  return LEXICON.get(key) ?? 0;
}

function createLexicon(): ReadonlyMap<string, number> {
  const lexicon = new Map<string, number>();
  const mark = (words: Iterable<string>, flag: number): void => {
    for (const word of words) lexicon.set(word, (lexicon.get(word) ?? 0) | flag);
  };
  mark(HONORIFICS, HONORIFIC);
  mark(GERMAN_HONORIFICS, GERMAN_HONORIFIC);
  mark(PARTICLES, PARTICLE);
  mark(DETERMINERS, DETERMINER);
  mark(ORDINARY_WORDS, ORDINARY);
  mark(ORGANIZATION_WORDS, ORGANIZATION);
  mark(GIVEN_NAMES, GIVEN_NAME);
  mark(AMBIGUOUS_GIVEN_NAMES, AMBIGUOUS_GIVEN_NAME);
  mark(FAMILY_NAMES, FAMILY_NAME);
  mark(LEADING_FAMILY_NAMES, LEADING_FAMILY_NAME);
  mark(lastWords(NAMING_PHRASES), ENDS_NAMING_PHRASE);
  mark(lastWords(INTRODUCING_PHRASES), ENDS_INTRODUCING_PHRASE);
  mark(
    [...BRAND_NAMES].map((brand) => brand.slice(0, brand.indexOf(' '))),
    BEGINS_BRAND,
  );
  // A word that already has a meaning keeps it: `april`, `florence`.
  mark(
    [...MORE_GIVEN_NAMES].filter((name) => !lexicon.has(name)),
    GIVEN_NAME,
  );
  mark(
    PUBLIC_GIVEN_NAMES.filter((name) => !lexicon.has(name)),
    GIVEN_NAME,
  );
  mark(
    PUBLIC_FAMILY_NAMES.filter((name) => !lexicon.has(name)),
    FAMILY_NAME,
  );
  return lexicon;
}

function lastWords(phrases: ReadonlySet<string>): string[] {
  return [...phrases].map((phrase) => phrase.slice(phrase.lastIndexOf(' ') + 1));
}

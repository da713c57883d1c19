import { FAMILY_NAME, flagsOf, GIVEN_NAME, ORDINARY, PARTICLE } from './name-lexicon.ts';
import { isAllCapitals, keyOf, nextWord, type Word, wordFlags } from './word.ts';

const MAX_JOINTS = 3;
const DOT = 0x2e;

/** The words that follow the first word of a name, and the end of the last one. */
export type NameParts = { readonly end: number; readonly keys: readonly string[] };

/** How many further words a name may have, and how many of them may be in no list of names. */
export type NameLength = { readonly max: number; readonly unlisted: number };

/** Reads further words of a name, across particles (`van der`) and initials (`F.`). */
export function readNameParts(text: string, first: Word, to: number, length: NameLength): NameParts {
  const keys: string[] = [];
  let { unlisted } = length;
  let end = first.end;
  let position = first.end;
  let joints = 0;
  while (keys.length < length.max && joints <= MAX_JOINTS) {
    const word = nextWord(text, position, to);
    if (word === undefined) break;
    if (word.end - word.start === 1 && word.isCapitalized && text.charCodeAt(word.end) === DOT) {
      position = word.end + 1;
      joints += 1;
    } else if (wordFlags(text, word) & PARTICLE) {
      position = word.end;
      joints += 1;
    } else if (isNamePart(text, word, first)) {
      if (!(wordFlags(text, word) & (GIVEN_NAME | FAMILY_NAME))) unlisted -= 1;
      if (unlisted < 0) break;
      keys.push(keyOf(text, word));
      end = word.end;
      position = word.end;
      joints = 0;
    } else break;
  }
  return { end, keys };
}

/** Returns whether a word can be part of a name: capitalized, not ordinary, not an acronym. */
function isNamePart(text: string, word: Word, first: Word): boolean {
  if (!word.isCapitalized || !word.isFree || word.end - word.start < 2) return false;
  const isAcronym = word.end - word.start <= 3 && isAllCapitals(text, word) && !isAllCapitals(text, first);
  return !isAcronym && !isOrdinary(keyOf(text, word));
}

export function isOrdinary(key: string): boolean {
  return ((flagsOf(key) | (key.includes('-') ? flagsOf(firstPart(key)) : 0)) & ORDINARY) !== 0;
}

/** Returns `jean` for `jean-pierre`. */
export function firstPart(key: string): string {
  const hyphen = key.indexOf('-');
  return hyphen === -1 ? key : key.slice(0, hyphen);
}

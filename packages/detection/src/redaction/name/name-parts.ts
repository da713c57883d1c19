import { PARTICLES } from './name-cues.ts';
import { ORDINARY_WORDS } from './ordinary-words.ts';
import { isAllCapitals, keyOf, nextWord, type Word } from './word.ts';

const MAX_JOINTS = 3;

/** The words that follow the first word of a name, and the end of the last one. */
export type NameParts = { readonly end: number; readonly keys: readonly string[] };

/** Reads up to `max` further words of a name, across particles (`van der`) and initials (`F.`). */
export function readNameParts(text: string, first: Word, to: number, max: number): NameParts {
  const keys: string[] = [];
  let end = first.end;
  let position = first.end;
  let joints = 0;
  while (keys.length < max && joints <= MAX_JOINTS) {
    const word = nextWord(text, position, to);
    if (word === undefined) break;
    const key = keyOf(text, word);
    if (word.end - word.start === 1 && word.isCapitalized && text.charAt(word.end) === '.') {
      position = word.end + 1;
      joints += 1;
    } else if (PARTICLES.has(key)) {
      position = word.end;
      joints += 1;
    } else if (isNamePart(text, word, key, first)) {
      keys.push(key);
      end = word.end;
      position = word.end;
      joints = 0;
    } else break;
  }
  return { end, keys };
}

/** Returns whether a word can be part of a name: capitalized, not ordinary, not an acronym. */
function isNamePart(text: string, word: Word, key: string, first: Word): boolean {
  if (!word.isCapitalized || !word.isFree || word.end - word.start < 2) return false;
  const isAcronym = word.end - word.start <= 3 && isAllCapitals(text, word) && !isAllCapitals(text, first);
  return !isAcronym && !isOrdinary(key);
}

export function isOrdinary(key: string): boolean {
  return ORDINARY_WORDS.has(key) || (key.includes('-') && ORDINARY_WORDS.has(firstPart(key)));
}

/** Returns `jean` for `jean-pierre`. */
export function firstPart(key: string): string {
  const hyphen = key.indexOf('-');
  return hyphen === -1 ? key : key.slice(0, hyphen);
}

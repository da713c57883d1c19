import { FAMILY_NAMES } from '../../lexicon/family-names.ts';
import { GIVEN_NAMES } from '../../lexicon/given-names.ts';
import { COMMON_WORDS } from '../../normalize/common-words.ts';

const SIDE = 27;
const FIRST_LETTER = 97;
/** Random letters need more bits each than this; the letters of most words need fewer. */
const USUAL_BITS = 3;
const BITS = countPairs();

/**
 * Returns how far the letters of a text differ from words and names: the mean bits of a letter given the one
 * before it, minus those of ordinary words, or 0 for words. Only runs of at least `minLetters` letters count, and
 * the oddest run decides.
 */
export function letterOddity(text: string, minLetters: number): number {
  let oddest = 0;
  let previous = 0;
  let bits = 0;
  let letters = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const letter = toLetter(text.charCodeAt(at));
    if (letter !== 0) {
      bits += BITS[previous * SIDE + letter] as number;
      letters += 1;
    } else if (letters > 0) {
      if (letters >= minLetters)
        oddest = Math.max(oddest, (bits + (BITS[previous * SIDE] as number)) / (letters + 1) - USUAL_BITS);
      bits = 0;
      letters = 0;
    }
    previous = letter;
  }
  return oddest;
}

/** A letter as 1 to 26 regardless of case; 0 for anything else. */
function toLetter(code: number): number {
  const letter = (code | 32) - FIRST_LETTER;
  return letter >= 0 && letter < SIDE - 1 && code >= 65 ? letter + 1 : 0;
}

/** Returns the bits of each letter after each other letter. 0 stands for the start and the end of a word. */
function countPairs(): Float32Array {
  const counts = new Float32Array(SIDE * SIDE).fill(0.5);
  for (const word of [...COMMON_WORDS, ...GIVEN_NAMES, ...FAMILY_NAMES]) {
    let previous = 0;
    for (let at = 0; at <= word.length; at += 1) {
      const letter = toLetter(word.charCodeAt(at));
      const pair = previous * SIDE + letter;
      counts[pair] = (counts[pair] as number) + 1;
      previous = letter;
    }
  }
  return counts.map((count, pair) => {
    const row = pair - (pair % SIDE);
    return -Math.log2(count / counts.subarray(row, row + SIDE).reduce((sum, each) => sum + each, 0));
  });
}

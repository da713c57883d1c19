import { FAMILY_NAMES } from '../../lexicon/family-names.ts';
import { GIVEN_NAMES } from '../../lexicon/given-names.ts';
import { COMMON_WORDS } from '../../normalize/common-words.ts';

const SIDE = 27;
const FIRST_LETTER = 97;
/** The bits of a letter in a row of random letters are above this, those of most words below. */
const USUAL_BITS = 3;
const BITS = countPairs();

/**
 * Returns how unlike words and names the letters of a text are: the mean bits that a letter needs when the one
 * before it is known, above those of ordinary words; 0 for words. Only runs of at least `minLetters` letters
 * count, and the oddest decides.
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

/** The bits of each letter after each other one, where 0 stands for the start and the end of a word. */
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

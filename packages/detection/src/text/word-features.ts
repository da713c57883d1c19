import type { FeatureList } from '../model/feature-list.ts';
import { hashSlice, hashText, joinHashes } from '../model/hash.ts';

/** Keep kinds of features apart that are written alike. */
const WORD = 0x51ed270b;
const GRAM = 0x2c1b3c6d;
const SKIP = 0x297a2d39;
/** Pieces of a word tell less than the word, and there are many of them. */
const GRAM_VALUE = 0.2;
const SHORTEST_GRAM = 3;
const LONGEST_GRAM = 5;

/**
 * Adds the features of the word at a place: itself, it behind the one, the two and with a gap the one but last before it, and
 * the pieces of three to five letters it consists of. What a stretch of words scores is the sum over its places.
 */
export function addWordFeatures(
  features: FeatureList,
  hashes: readonly number[],
  words: readonly string[],
  at: number,
): void {
  addPlaceFeatures(features, hashes, at);
  addPieceFeatures(features, words[at] as string);
}

/** Adds the word itself and with those before it. */
export function addPlaceFeatures(features: FeatureList, hashes: readonly number[], at: number): void {
  const own = hashes[at] as number;
  features.addHash(own);
  if (at === 0) return;
  const pair = joinHashes(hashes[at - 1] as number, own);
  features.addHash(pair);
  if (at === 1) return;
  features.addHash(joinHashes(hashes[at - 2] as number, pair), 0.7);
  features.addHash(joinHashes((hashes[at - 2] as number) ^ SKIP, own), 0.7);
}

/** Adds the pieces of a word, which are the same wherever it stands. */
export function addPieceFeatures(features: FeatureList, word: string): void {
  if (word.length < SHORTEST_GRAM || word.charCodeAt(0) === 0x3c) return;
  const padded = `_${word}_`;
  for (let length = SHORTEST_GRAM; length <= LONGEST_GRAM; length += 1) {
    for (let start = 0; start + length <= padded.length; start += 1) {
      features.addHash(hashSlice(padded, start, start + length, GRAM), GRAM_VALUE);
    }
  }
}

export function hashWords(words: readonly string[]): number[] {
  return words.map((word) => hashText(word, WORD));
}

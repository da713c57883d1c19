import type { FeatureList } from '../feature-list.ts';
import { extendHash, finishHash, hashText, joinHashes } from '../hash.ts';
import { findNearbySigns } from './nearby-signs.ts';

/** Seeds that separate features of different kinds with the same spelling. */
const WORD = 0x51ed270b;
const GRAM = 0x2c1b3c6d;
const SKIP = 0x297a2d39;
const NEAR = 0x00077123;
/** Pieces of a word say less than the word, and each word has many. */
const GRAM_VALUE = 0.2;
const MIN_GRAM_LENGTH = 3;
const MAX_GRAM_LENGTH = 5;

/** The input of word features: read once for each text. */
export interface WordSequence {
  readonly words: readonly string[];
  readonly hashes: readonly number[];
  /** The signs near each word, from findNearbySigns. */
  readonly near: Uint8Array;
}

export function toWordSequence(words: readonly string[]): WordSequence {
  return { words, hashes: hashWords(words), near: findNearbySigns(words) };
}

/**
 * Adds the features of the word at a position: the word, the word with the signs near it, the word after the
 * one or two words before it (also with a gap), and its pieces of three to five letters. The score of a
 * window is the sum over its positions.
 */
export function addWordFeatures(features: FeatureList, places: WordSequence, at: number): void {
  addOwnFeatures(features, places, at);
  addContextFeatures(features, places, at);
}

/** Adds the features that do not depend on the position: the word and its pieces. */
export function addOwnFeatures(features: FeatureList, { words, hashes }: WordSequence, at: number): void {
  features.addHash(hashes[at] as number);
  addPieceFeatures(features, words[at] as string);
}

/** Adds the word with the signs near it, and with the words before it. */
export function addContextFeatures(features: FeatureList, { hashes, near }: WordSequence, at: number): void {
  const own = hashes[at] as number;
  features.addHash(joinHashes(NEAR + (near[at] as number), own));
  if (at === 0) return;
  const pair = joinHashes(hashes[at - 1] as number, own);
  features.addHash(pair);
  if (at === 1) return;
  features.addHash(joinHashes(hashes[at - 2] as number, pair), 0.7);
  features.addHash(joinHashes((hashes[at - 2] as number) ^ SKIP, own), 0.7);
}

function addPieceFeatures(features: FeatureList, word: string): void {
  if (word.length < MIN_GRAM_LENGTH || word.charCodeAt(0) === 0x3c) return;
  const padded = `_${word}_`;
  for (let start = 0; start + MIN_GRAM_LENGTH <= padded.length; start += 1) {
    let hash = GRAM;
    const longest = Math.min(MAX_GRAM_LENGTH, padded.length - start);
    for (let length = 1; length <= longest; length += 1) {
      hash = extendHash(hash, padded.charCodeAt(start + length - 1));
      if (length >= MIN_GRAM_LENGTH) features.addHash(finishHash(hash, length), GRAM_VALUE);
    }
  }
}

export function hashWords(words: readonly string[]): number[] {
  return words.map((word) => hashText(word, WORD));
}

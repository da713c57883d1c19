import { hashText } from '@tps/detection/training';

/**
 * Returns a number in [0, 1) that depends only on the key and the seed, so that a row is always on the same
 * side of a split.
 */
export function fractionOf(key: string, seed: number): number {
  return hashText(key, seed) / 2 ** 32;
}

/**
 * Creates a pseudo-random generator of numbers in [0, 1), with the same sequence for the same seed
 * (mulberry32).
 */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

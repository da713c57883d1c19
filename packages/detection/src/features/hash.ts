const FIRST = 0xcc9e2d51;
const SECOND = 0x1b873593;

/**
 * Hashes part of a text to 32 bits, after MurmurHash3 (Appleby, public domain) over UTF-16 units. Allocates
 * nothing, so that it can be called for each n-gram.
 */
export function hashSlice(text: string, start: number, end: number, seed: number): number {
  let hash = seed | 0;
  for (let at = start; at < end; at += 1) hash = extendHash(hash, text.charCodeAt(at));
  return finishHash(hash, end - start);
}

/** Hashes a whole text to 32 bits. */
export function hashText(text: string, seed: number): number {
  return hashSlice(text, 0, text.length, seed);
}

/** Combines two hashes, such as those of neighbouring words, into one that depends on their order. */
export function joinHashes(one: number, other: number): number {
  return finishHash(extendHash(extendHash(0x2545f491, one), other), 2);
}

/** Adds a UTF-16 unit to an unfinished hash that began as a seed: `hashSlice` without beginning again. */
export function extendHash(hash: number, unit: number): number {
  let part = Math.imul(unit, FIRST);
  part = (part << 15) | (part >>> 17);
  const mixed = hash ^ Math.imul(part, SECOND);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

/** Finishes a hash of `length` units. */
export function finishHash(hash: number, length: number): number {
  let mixed = hash ^ length;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

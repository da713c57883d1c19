/** The letters by which entries are found: each entry has at least as many. */
export const MIN_LETTERS = 5;
const BITS = 5;
const MASK = 2 ** (BITS * MIN_LETTERS) - 1;

/** Finds many words inside a text in one pass. */
export interface WordIndex<T> {
  /** Calls back for each entry in the text, also inside other words. */
  forEachIn(text: string, found: (value: T, word: string) => void): void;
}

export function createWordIndex<T>(entries: Iterable<readonly [word: string, value: T]>): WordIndex<T> {
  const byStart = new Map<number, (readonly [string, T])[]>();
  for (const entry of entries) {
    const [word] = entry;
    if (word.length < MIN_LETTERS) throw new RangeError(`${word} is too short to be found inside a text`);
    let key = 0;
    for (let at = 0; at < MIN_LETTERS; at += 1) key = next(key, word.charCodeAt(at));
    byStart.set(key, [...(byStart.get(key) ?? []), entry]);
  }
  return {
    forEachIn(text, found) {
      let key = 0;
      for (let at = 0; at < text.length; at += 1) {
        key = next(key, text.charCodeAt(at));
        const start = at - MIN_LETTERS + 1;
        const candidates = start < 0 ? undefined : byStart.get(key);
        if (candidates === undefined) continue;
        // Different letters can share a key.
        for (const [word, value] of candidates) if (text.startsWith(word, start)) found(value, word);
      }
    },
  };
}

function next(key: number, code: number): number {
  return ((key << BITS) | (code & 31)) & MASK;
}

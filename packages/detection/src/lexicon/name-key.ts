const SPECIAL: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ð: 'd',
};

/**
 * Spells a word as the lists do: lower case, without accents, so that both Unicode forms of `José` are found.
 */
export function toNameKey(word: string): string {
  const lower = word.toLowerCase();
  if (/^[a-z'-]*$/.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßøłđæœıð]/g, (letter) => SPECIAL[letter] ?? letter);
}

/** Creates a set from a list of words that are separated by white space. */
export function toNameSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/).map(toNameKey));
}

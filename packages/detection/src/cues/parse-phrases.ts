/** Parses a list of phrases that are separated by commas, in any number of lines. Returns them in Unicode's form NFKC. */
export function parsePhrases(list: string): readonly string[] {
  return list
    .normalize('NFKC')
    .split(',')
    .map((phrase) => phrase.trim().replace(/\s+/g, ' '))
    .filter((phrase) => phrase !== '');
}

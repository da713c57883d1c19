/** Parses a list of phrases that are separated by commas, in any number of lines. */
export function parsePhrases(list: string): readonly string[] {
  return list
    .split(',')
    .map((phrase) => phrase.trim().replace(/\s+/g, ' '))
    .filter((phrase) => phrase !== '');
}

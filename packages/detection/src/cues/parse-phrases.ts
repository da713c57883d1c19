/** Parses a list of phrases that are separated by commas. */
export function parsePhrases(list: string): readonly string[] {
  return list
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');
}

/** Reads a list of phrases, written with commas between them so that it stays readable. */
export function parsePhrases(list: string): readonly string[] {
  return list
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');
}

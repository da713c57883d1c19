import { DISGUISED_WORDS } from './disguised-words.ts';

const MIN_LENGTH = 5;
const WORD = /(?<![a-z0-9@#._/=&'-])[a-z]{5,17}(?![a-z0-9@/='_]|[.-][a-z0-9])/gi;
/** Real words of the languages that the model knows, which are not misspellings. */
const NOT_MEANT = new Set(
  'banend chasse coeds cuneta gange gewin goggle horus lonas mooney mortgagee offres peins postaal royaal toady wining'.split(
    ' ',
  ),
);

const MEANT: ReadonlyMap<string, string> = new Map(
  [...DISGUISED_WORDS]
    .filter(({ length }) => length >= MIN_LENGTH)
    .flatMap((word) => misspellingsOf(word).map((misspelt) => [misspelt, word] as const))
    .filter(([misspelt]) => !DISGUISED_WORDS.has(misspelt) && !NOT_MEANT.has(misspelt)),
);

/**
 * Repairs words that senders disguise by swapping two letters inside, or by doubling a letter or leaving out a
 * doubled one: "acocunt", "pasword". Other words stay as they are, even if they are misspelt.
 */
export function repairMisspelt(text: string): string {
  return text.replace(WORD, (written) => MEANT.get(written.toLowerCase()) ?? written);
}

function misspellingsOf(word: string): string[] {
  const misspelt: string[] = [];
  for (let at = 0; at < word.length; at += 1) {
    const [before, letter, next, after] = [
      word.slice(0, at),
      word.charAt(at),
      word.charAt(at + 1),
      word.slice(at + 2),
    ];
    misspelt.push(before + letter + letter + next + after);
    if (letter === next) misspelt.push(before + letter + after);
    else if (before !== '' && after !== '') misspelt.push(before + next + letter + after);
  }
  return misspelt;
}

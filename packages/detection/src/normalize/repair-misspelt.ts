import { DISGUISED_WORDS } from './disguised-words.ts';

const MIN_LENGTH = 5;
const MAX_LENGTH = 16;
const WORD = /(?<![a-z0-9@#._/=&'-])[a-z]{5,16}(?![a-z0-9@/='_]|[.-][a-z0-9])/gi;
/** Words of their own, of any language that the model knows. */
const NOT_MEANT = new Set(
  'banend chasse coeds cuneta gange gewin goggle horus lonas mooney mortgagee offres peins postaal royaal toady wining'.split(
    ' ',
  ),
);

/** Words are compared only with those that have the same first and last letter: most have none. */
const ENDS: ReadonlySet<string> = new Set([...DISGUISED_WORDS].map(endsOf));
/** By their letters without repetition: "pasword" and "passsword" are the same as "password". */
const BY_SINGLES = indexBy(withoutRepetition);
/** By their inner letters in any order. */
const BY_LETTERS = indexBy(toSignature);

/**
 * Repairs words that senders disguise by swapping two letters inside, or by doubling a letter or leaving out a
 * doubled one: "acocunt", "pasword". Other words stay, also misspelt ones.
 */
export function repairMisspelt(text: string): string {
  return text.replace(WORD, (written) => {
    const word = written.toLowerCase();
    if (!ENDS.has(endsOf(word))) return written;
    if (DISGUISED_WORDS.has(word) || NOT_MEANT.has(word)) return written;
    const swapped = BY_LETTERS.get(toSignature(word));
    if (swapped !== undefined && isOneSwap(word, swapped)) return swapped;
    return BY_SINGLES.get(withoutRepetition(word)) ?? written;
  });
}

function indexBy(keyOf: (word: string) => string): ReadonlyMap<string, string> {
  const index = new Map<string, string>();
  for (const word of DISGUISED_WORDS) {
    if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) continue;
    const key = keyOf(word);
    if (!index.has(key)) index.set(key, word);
  }
  return index;
}

function endsOf(word: string): string {
  return `${word.charAt(0)}${word.slice(-1)}`;
}

function withoutRepetition(word: string): string {
  return word.replace(/(.)\1+/g, '$1');
}

function toSignature(word: string): string {
  return `${word.charAt(0)}${[...word.slice(1, -1)].sort().join('')}${word.slice(-1)}`;
}

function isOneSwap(word: string, meant: string): boolean {
  let at = 0;
  while (at < word.length && word.charAt(at) === meant.charAt(at)) at += 1;
  return (
    word.charAt(at) === meant.charAt(at + 1) &&
    word.charAt(at + 1) === meant.charAt(at) &&
    word.slice(at + 2) === meant.slice(at + 2)
  );
}

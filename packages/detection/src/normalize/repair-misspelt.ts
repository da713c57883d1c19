import { isAsciiAlphanumeric, isAsciiLetter, isDigit } from './characters.ts';
import { DISGUISED_WORDS } from './disguised-words.ts';

const MIN_LENGTH = 5;
const MAX_LENGTH = 17;
/** Characters of addresses, handles and names of files: the letters beside them are not a word. */
const NOT_BEFORE = "@#._/=&'-";
const NOT_AFTER = "@/='_";
/** Real words of the languages that the model knows, which are not misspellings. */
const NOT_MEANT = new Set(
  'banend chasse coeds cuneta gange gewin goggle grattis horus lonas mooney mortgagee offres peins postaal royaal toady wining'.split(
    ' ',
  ),
);

const MEANT: ReadonlyMap<string, string> = new Map(
  [...DISGUISED_WORDS]
    .filter(({ length }) => length >= MIN_LENGTH)
    .flatMap((word) => misspellingsOf(word).map((misspelt) => [misspelt, word] as const))
    .filter(([misspelt]) => !DISGUISED_WORDS.has(misspelt) && !NOT_MEANT.has(misspelt)),
);

/** Marks the hashes of the misspellings: most words are excluded without cutting them out of the text. */
const MAY_BE_MEANT = new Uint8Array(1 << 16);
for (const misspelt of MEANT.keys()) MAY_BE_MEANT[hashOf(misspelt)] = 1;

/**
 * Repairs words that senders disguise by swapping two letters inside, or by doubling a letter or leaving out a
 * doubled one: "acocunt", "pasword". Other words stay as they are, even if they are misspelt.
 */
export function repairMisspelt(text: string): string {
  let repaired = '';
  let settled = 0;
  let start = 0;
  let hash = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isAsciiLetter(code)) {
      hash = extend(hash, code);
      continue;
    }
    const length = at - start;
    if (length >= MIN_LENGTH && length <= MAX_LENGTH && MAY_BE_MEANT[hash] === 1 && isWord(text, start, at)) {
      const meant = MEANT.get(text.slice(start, at).toLowerCase());
      if (meant !== undefined) {
        repaired += text.slice(settled, start) + meant;
        settled = at;
      }
    }
    start = at + 1;
    hash = 0;
  }
  return settled === 0 ? text : repaired + text.slice(settled);
}

/** Returns whether letters are not a part of an address, a handle, a code or a longer word. */
function isWord(text: string, start: number, end: number): boolean {
  const before = text.charAt(start - 1);
  const after = text.charAt(end);
  if (isDigitAt(text, start - 1) || (before !== '' && NOT_BEFORE.includes(before))) return false;
  if (isDigitAt(text, end) || (after !== '' && NOT_AFTER.includes(after))) return false;
  return !((after === '.' || after === '-') && isAsciiAlphanumeric(text.charCodeAt(end + 1)));
}

function isDigitAt(text: string, at: number): boolean {
  return isDigit(text.charCodeAt(at));
}

function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at += 1) hash = extend(hash, word.charCodeAt(at));
  return hash;
}

/** Ignores the case of ASCII letters. */
function extend(hash: number, code: number): number {
  return (Math.imul(hash, 31) + (code | 0x20)) & 0xffff;
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

/** Thai; Chinese characters, kana and hangul, each with their extensions and compatibility forms. */
const RANGES = [
  [0xe00, 0xe7f],
  [0x1100, 0x11ff],
  [0x2e80, 0x2fdf],
  [0x3005, 0x3007],
  [0x3040, 0x318f],
  [0x31f0, 0x31ff],
  [0x3400, 0x9fff],
  [0xac00, 0xd7ff],
  [0xf900, 0xfaff],
] as const;
/** 1 for each code unit in the ranges. A table, because each letter of a text is looked up several times. */
const UNSPACED = new Uint8Array(0x10000);
for (const [first, last] of RANGES) UNSPACED.fill(1, first, last + 1);
/** About how many letters make up a word in these scripts, and in those that the model has not learned. */
export const LETTERS_OF_WORD = 3;

/**
 * Returns whether a code unit is of a script that the model reads letter by letter: Chinese, Japanese and Thai
 * are written without spaces, and Korean words have many endings.
 */
export function isUnspaced(code: number): boolean {
  return UNSPACED[code] === 1;
}

/** Calls `add` with the pairs of neighbouring letters in a run of such letters, and with the words between runs. */
export function splitUnspaced(token: string, add: (word: string) => void): void {
  let start = 0;
  for (let at = 1; at <= token.length; at += 1) {
    const kind = isUnspaced(token.charCodeAt(start));
    if (at < token.length && isUnspaced(token.charCodeAt(at)) === kind) continue;
    if (kind) addPairs(token.slice(start, at), add);
    else add(token.slice(start, at));
    start = at;
  }
}

/** Calls `add` with each letter of a token that is of such a script, and with the words between these letters. */
export function separateLetters(token: string, add: (word: string) => void): void {
  let start = 0;
  for (let at = 0; at < token.length; at += 1) {
    if (!isUnspaced(token.charCodeAt(at))) continue;
    if (start < at) add(token.slice(start, at));
    add(token.charAt(at));
    start = at + 1;
  }
  if (start < token.length) add(start === 0 ? token : token.slice(start));
}

function addPairs(run: string, add: (word: string) => void): void {
  if (run.length === 1) add(run);
  for (let at = 0; at + 1 < run.length; at += 1) add(run.slice(at, at + 2));
}

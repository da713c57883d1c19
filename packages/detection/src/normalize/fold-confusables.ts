import { UTS39_LOOK_ALIKES } from './confusables.ts';

/**
 * Look-alikes that UTS #39 lacks or maps to another letter, by the Latin letter they stand for. They take
 * precedence over the table.
 */
const ADDITIONS: readonly (readonly [latin: string, letters: string])[] = [
  // Small capitals, and the Cyrillic and Greek letters of that form: UTS #39 keeps them apart from A to Z.
  ...Object.entries({ a: 'ᴀ', b: 'ʙвᏼ', d: 'ᴅ', e: 'ᴇ', f: 'ꜰ', g: 'ɢԍ', h: 'ʜн', j: 'ᴊ', k: 'ᴋкκ', l: 'ʟ' }),
  ...Object.entries({ m: 'ᴍм', n: 'ɴ', p: 'ᴘ', r: 'ʀ', t: 'ᴛтτ' }),
  // Letters that replace Latin ones in disguised words, although they are not confusable one by one.
  ...Object.entries({ d: 'Ԁɗ', e: 'єε', f: 'ϝғ', n: 'пղ', u: 'цμ', w: 'шω', x: 'χ' }),
  // Capital iotas look like l, as a capital I does; in a word they stand for i, like their lower-case forms.
  ['i', 'ΙІ'],
  // The palochka and the small iota are read as l, like the capital palochka.
  ['l', 'ӏɩ'],
  // Not a letter, but used as one.
  ['x', '×'],
  // NFKC resolves these in texts, but not in host names.
  ['l', 'ⅼ'],
  ['c', 'ϲϹ'],
];
/** Latin letters that canonical decomposition does not change. */
const LATIN_VARIANTS: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ŋ: 'n',
  ə: 'e',
  ƒ: 'f',
  // In Turkish it is an ordinary letter, so it is not counted as a look-alike.
  ı: 'i',
};
/** The first of 26 letters that NFKC does not change: negative circled and negative squared capitals. */
const ENCLOSED_RUNS = [0x1f150, 0x1f170] as const;

const CONFUSABLES = confusables();
const UNACCENTED = unaccented();
const LETTER = /\p{L}/u;

/** How a letter is read, or its kind of script. */
const [LATIN, ALIKE, FOREIGN] = [1, 2, 3] as const;
/** For each code unit; takes a quarter of the time of maps. */
const KINDS = kindsOfUnits();

function kindsOfUnits(): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  for (let code = 0x370; code < 0x10000; code += 1)
    if (LETTER.test(String.fromCharCode(code))) kinds[code] = FOREIGN;
  for (const code of CONFUSABLES.keys()) if (code < 0x10000) kinds[code] = ALIKE;
  for (const code of UNACCENTED.keys()) kinds[code] = LATIN;
  for (let code = 0x41; code <= 0x5a; code += 1) kinds[code] = kinds[code | 0x20] = LATIN;
  return kinds;
}

function kindOf(code: number): number {
  if (code < 0x10000) return KINDS[code] as number;
  if (CONFUSABLES.has(code)) return ALIKE;
  return LETTER.test(String.fromCodePoint(code)) ? FOREIGN : 0;
}

function confusables(): ReadonlyMap<number, string> {
  const table = new Map<number, string>();
  const add = (latin: string, letter: string) => {
    const code = letter.codePointAt(0) ?? 0;
    if (!table.has(code)) table.set(code, latin);
  };
  const lists = [...ADDITIONS, ...Object.entries(UTS39_LOOK_ALIKES)];
  for (const [latin, letters] of lists) for (const letter of letters) add(latin, letter);
  // A letter whose capital looks like a Latin one is read as that in lower case too.
  for (const [latin, letters] of lists) for (const letter of letters) add(latin, letter.toLowerCase());
  for (const first of ENCLOSED_RUNS) {
    for (let letter = 0; letter < 26; letter += 1)
      table.set(first + letter, String.fromCharCode(97 + letter));
  }
  return table;
}

function unaccented(): ReadonlyMap<number, string> {
  const table = new Map<number, string>();
  for (let code = 0xc0; code < 0x1f00; code = code === 0x24f ? 0x1e00 : code + 1) {
    const base = String.fromCharCode(code).normalize('NFD').charAt(0);
    if (/[a-z]/i.test(base)) table.set(code, base);
  }
  for (const [written, plain] of Object.entries(LATIN_VARIANTS)) {
    table.set(written.charCodeAt(0), plain);
    const upper = written.toUpperCase();
    if (upper.length === 1 && upper > '\u007f') table.set(upper.charCodeAt(0), plain);
  }
  return table;
}

function asClass(table: ReadonlyMap<number, string>): string {
  return Array.from(table.keys(), (code) => String.fromCodePoint(code)).join('');
}

const MARKS = '\u0300-\u036f';
const ACCENTED = new RegExp(`[${MARKS}${asClass(UNACCENTED)}]`, 'gu');
/**
 * A text without these characters stays as it is, and a pattern finds that out ten times as fast as the loops
 * below.
 */
const MAY_FOLD = new RegExp(`[${MARKS}${asClass(UNACCENTED)}${asClass(CONFUSABLES)}]`, 'u');
const BEYOND_ASCII = /[^\p{ASCII}]/u;
// A word with a letter beyond ASCII among its first forty: longer runs are not words.
const WORD = /(?<![A-Za-z0-9])[A-Za-z0-9]{0,40}(?=[^\p{ASCII}])[\p{L}\p{M}\p{N}\u{1F150}-\u{1F189}\u00d7]+/gu;

/**
 * Reads letters of other scripts as the Latin ones that they imitate, and removes accents from Latin letters.
 * Applies to a word that mixes scripts, or whose letters all have a Latin look-alike in a Latin text: Russian
 * and Greek stay as they are.
 */
export function foldConfusables(text: string): { readonly text: string; readonly folded: number } {
  if (!MAY_FOLD.test(text)) return { text, folded: 0 };
  let amongLatin: boolean | undefined;
  let folded = 0;
  const output = text.replace(WORD, (word) => {
    if (!MAY_FOLD.test(word)) return word;
    const plain = withoutAccents(word);
    if (!BEYOND_ASCII.test(plain)) return plain;
    amongLatin ??= isMostlyLatin(text);
    if (!passesForLatin(plain, amongLatin)) return plain;
    if (imitates(plain)) folded += 1;
    let read = '';
    for (const letter of plain) read += CONFUSABLES.get(letter.codePointAt(0) ?? 0) ?? letter;
    return read;
  });
  return { text: output, folded };
}

/** "5μg" and "2×4" imitate nothing. */
function imitates(word: string): boolean {
  return word.length >= 3 && !/^\d/.test(word) && /[^\p{ASCII}×]/u.test(word);
}

function withoutAccents(word: string): string {
  return word.replace(ACCENTED, (letter) => UNACCENTED.get(letter.charCodeAt(0)) ?? '');
}

function passesForLatin(word: string, amongLatin: boolean): boolean {
  let latin = 0;
  let alike = 0;
  let foreign = 0;
  for (const letter of word) {
    const code = letter.codePointAt(0) ?? 0;
    const kind = kindOf(code);
    if (kind === LATIN) latin += 1;
    else if (kind === ALIKE) alike += 1;
    else if (!isDigit(code)) foreign += 1;
  }
  if (alike === 0 || foreign > 0) return alike > 0 && latin > foreign && amongLatin;
  return latin > 0 ? amongLatin || latin >= alike : amongLatin;
}

/** Counts the letters that can only be Latin against those that cannot. */
function isMostlyLatin(text: string): boolean {
  let balance = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    const kind = kindOf(code);
    if (kind === LATIN) balance += 1;
    else if (kind === FOREIGN) balance -= 1;
    else if (kind === ALIKE && code >= ENCLOSED_RUNS[0]) balance += 1;
  }
  return balance > 0;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

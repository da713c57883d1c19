import { characterReferenceAt } from './character-reference.ts';
import { isAsciiAlphanumeric, isSpace } from './characters.ts';

/** A text without disguises, with a mapping to the text as written. */
export type FoldedText = {
  readonly text: string;
  /** The start and end of each folded code unit in the original; absent when nothing was folded. */
  readonly origin: { readonly starts: Uint32Array; readonly ends: Uint32Array } | undefined;
};

/** Ways to defang an address, with the characters they stand for. */
const DEFANGED: readonly (readonly [string, string])[] = [
  ['[.]', '.'],
  ['(.)', '.'],
  ['[dot]', '.'],
  ['(dot)', '.'],
  ['[:]', ':'],
  ['[://]', '://'],
  ['%40', '@'],
];
const MAX_DEFANGED_LENGTH = 5;
const AMPERSAND = 0x26;
/** How far before a reference a link may begin. */
const MAX_LINK_REACH = 512;

/**
 * The zero of each decimal digit block of the scripts in which telephone numbers are written (Unicode 16,
 * category Nd).
 */
const DIGIT_ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50,
  0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810,
];

type Fold = { readonly length: number; readonly by: string };

const NOTHING: Fold = { length: 1, by: '' };
const APOSTROPHE: Fold = { length: 1, by: "'" };
const HYPHEN: Fold = { length: 1, by: '-' };
const DOT: Fold = { length: 1, by: '.' };
/** Folds of one and of two code units, by the ASCII character that they yield. */
const BY_ASCII = [1, 2].map((length) =>
  Array.from({ length: 128 }, (_, code): Fold => ({ length, by: String.fromCharCode(code) })),
);

/**
 * Replaces full-width and styled letters, digits of other scripts, unusual spaces and dashes, zero-width
 * characters and defanged characters (`[.]`, `%40`) by their plain forms. Plain text is returned as
 * it is.
 *
 * @param options.references also replaces character references of HTML (`&nbsp;`, `&#45;`)
 */
export function foldText(text: string, { references = false } = {}): FoldedText {
  let index = 0;
  while (index < text.length && !mayFold(text.charCodeAt(index))) index += 1;
  while (index < text.length && foldAt(text, index, references) === undefined) index += 1;
  if (index === text.length) return { text, origin: undefined };
  return foldAll(text, references);
}

function foldAll(text: string, references: boolean): FoldedText {
  // The folded text is never longer than the original.
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  const parts: string[] = [];
  let settled = 0;
  let length = 0;
  for (let index = 0; index < text.length; ) {
    const fold = foldAt(text, index, references);
    const end = index + (fold?.length ?? 1);
    for (let unit = fold?.by.length ?? 1; unit > 0; unit -= 1) {
      starts[length] = index;
      ends[length] = end;
      length += 1;
    }
    if (fold !== undefined) {
      if (settled < index) parts.push(text.slice(settled, index));
      parts.push(fold.by);
      settled = end;
    }
    index = end;
  }
  parts.push(text.slice(settled));
  const origin = { starts: starts.subarray(0, length), ends: ends.subarray(0, length) };
  return { text: parts.join(''), origin };
}

function mayFold(code: number): boolean {
  return code >= 0x80 || code === 0x5b || code === 0x28 || code === 0x25 || code === AMPERSAND;
}

function foldAt(text: string, index: number, references: boolean): Fold | undefined {
  const code = text.charCodeAt(index);
  if (!mayFold(code)) return undefined;
  if (code === AMPERSAND) return references ? foldReference(text, index) : undefined;
  if (code < 0x80) return refang(text, index);
  if (isInvisible(code)) return NOTHING;
  if (code === 0x2019 || code === 0x02bc) return APOSTROPHE;
  if ((code >= 0x2010 && code <= 0x2015) || code === 0x2212) return HYPHEN;
  if (code === 0x3002 || code === 0xff61) return foldIdeographicStop(text, index);
  return foldDigit(code) ?? foldCompatible(text, index, code);
}

/** What the reference stands for is folded too: `&ndash;` becomes a hyphen. In a link, it is a part of the link. */
function foldReference(text: string, index: number): Fold | undefined {
  const found = characterReferenceAt(text, index);
  if (found === undefined || isWithinLink(text, index)) return undefined;
  const { length, character } = found;
  const by = foldAt(character, 0, false)?.by ?? character;
  return by.length > 1 ? undefined : { length, by };
}

function isWithinLink(text: string, index: number): boolean {
  const reach = Math.max(0, index - MAX_LINK_REACH);
  let start = index;
  while (start > reach && !isSpace(text.charCodeAt(start - 1))) start -= 1;
  return text.slice(start, index).includes('://');
}

/** Most brackets and percent signs are not of a defanged address: the next character shows it. */
function refang(text: string, index: number): Fold | undefined {
  if (!'.:dD4'.includes(text.charAt(index + 1) || ' ')) return undefined;
  const ahead = text.slice(index, index + MAX_DEFANGED_LENGTH).toLowerCase();
  const found = DEFANGED.find(([written]) => ahead.startsWith(written));
  return found && { length: found[0].length, by: found[1] };
}

function isInvisible(code: number): boolean {
  return (
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2069) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff ||
    code === 0xad ||
    code === 0x180e ||
    code === 0x34f
  );
}

/** The full stop of CJK text separates labels of a domain (UTS #46), but usually it ends a sentence. */
function foldIdeographicStop(text: string, index: number): Fold | undefined {
  return isAsciiAlphanumeric(text.charCodeAt(index + 1)) ? DOT : undefined;
}

function foldDigit(code: number): Fold | undefined {
  if (code < 0x660 || code > 0x1819) return undefined;
  const zero = DIGIT_ZEROS.find((candidate) => code >= candidate && code < candidate + 10);
  return zero === undefined ? undefined : BY_ASCII[0]?.[0x30 + code - zero];
}

/** Applies NFKC if it yields one ASCII character; the commas and marks of CJK text still end an address. */
function foldCompatible(text: string, index: number, code: number): Fold | undefined {
  if (code >= 0xff01 && code <= 0xff5e) return isCjkMark(code) ? undefined : BY_ASCII[0]?.[code - 0xfee0];
  const isSurrogate = code === 0xd835 || code === 0xd83c;
  const isCompatible =
    (code >= 0x2000 && code < 0x2c00) || code === 0x3000 || (code >= 0xfe30 && code < 0xfff0);
  if (!isSurrogate && !isCompatible) return undefined;
  return isSurrogate ? toAscii(text.slice(index, index + 2)) : foldSymbol(code);
}

/** Filled as symbols occur: `normalize` takes 0.3 µs and more. */
const symbolFolds: (Fold | null)[] = [];

function foldSymbol(code: number): Fold | undefined {
  let fold = symbolFolds[code];
  if (fold === undefined) {
    fold = toAscii(String.fromCharCode(code)) ?? null;
    symbolFolds[code] = fold;
  }
  return fold ?? undefined;
}

function toAscii(written: string): Fold | undefined {
  const plain = written.normalize('NFKC');
  return plain.length === 1 && plain.charCodeAt(0) < 0x80
    ? BY_ASCII[written.length - 1]?.[plain.charCodeAt(0)]
    : undefined;
}

/** The full-width forms of `!`, `,`, `;` and `?`. */
function isCjkMark(code: number): boolean {
  return code === 0xff01 || code === 0xff0c || code === 0xff1b || code === 0xff1f;
}

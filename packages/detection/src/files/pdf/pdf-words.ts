import { type Budget, isTimeUp } from '../file-limits.ts';
import { latin1 } from '../file-type.ts';
import type { PdfStream, PdfStructure } from './pdf-structure.ts';

const MAX_CONTENT = 8 * 1024 * 1024;
const MAX_FONTS = 500;
/** Of all character maps together. */
const MAX_MAPPED = 200_000;
/** Kerning further to the left than this, in thousandths of the font size, is a gap between words. */
const GAP = -180;
/** The length at which the pattern below ends a string. */
const MAX_STRING_LENGTH = 65_536;
/** Between checks of the time. */
const TOKENS = 20_000;
/**
 * A string, a font with its size, a move, a number, the end of an array. Everything else is skipped. A string
 * need not end: if the match failed then, each of a million openings would be read to the end of the
 * document. Parentheses in a string are in pairs (7.3.4.2).
 */
const TOKEN =
  /\(((?:\\[\s\S]|[^\\()]|\([^\\()]{0,200}\)){0,65536})\)?|<([0-9A-Fa-f\s]*)>|\/([^\s()<>[\]{}/%]{1,64})\s+-?[\d.]+\s+Tf\b|\b(?:Td|TD|Tm|T\*|ET)|(-?\d[\d.]{0,12})|['"]/g;
const FONTS = /\/Font\s*(?:<<([^<>]{1,8192})>>|(\d{1,8})\s+\d{1,5}\s+R)/g;
const NAMED = /\/([^\s()<>[\]{}/%]{1,64})\s+(\d{1,8})\s+\d{1,5}\s+R/g;

/** The characters of a font's codes (ISO 32000-1, section 9.10.3). */
interface CharacterMap {
  readonly bytesPerCode: number;
  readonly characters: ReadonlyMap<number, string>;
}

/**
 * Reads the words that a PDF document displays, in the order of its streams. Font names are looked up for the
 * document as a whole; if pages use one name for several fonts, the map that knows the codes is used.
 * Bounded, unlike readers that draw pages: some megabytes of one operator, or forms that draw each other,
 * keep those busy for minutes or forever.
 */
export function readPdfWords(
  structure: PdfStructure,
  budget: Budget,
): { readonly words: string; readonly areAll: boolean } {
  const maps = characterMaps(structure);
  const words: string[] = [];
  let length = 0;
  let content = 0;
  let areAll = true;
  for (const { bytes } of structure.streams) {
    const operators = latin1(bytes);
    if (!/\bBT\b/.test(operators) || !/T[jJ]\b|['"]/.test(operators)) continue;
    content += bytes.length;
    areAll = content <= MAX_CONTENT && length <= budget.limits.textCharacters && !isTimeUp(budget);
    if (!areAll) break;
    const shown = readOperators(operators, maps, budget);
    words.push(shown.text);
    length += shown.text.length;
    if (!shown.isWhole) return { words: words.join('\n'), areAll: false };
  }
  // A text that is too long is truncated and reported where it is analyzed.
  return { words: words.join('\n').replace(/[ \t]{2,}/g, ' '), areAll };
}

function readOperators(
  operators: string,
  maps: ReadonlyMap<string, readonly CharacterMap[]>,
  budget: Budget,
): { readonly text: string; readonly isWhole: boolean } {
  const words: string[] = [];
  let fonts: readonly CharacterMap[] = [];
  let tokens = 0;
  let length = 0;
  let isWhole = true;
  for (const [token, literal, hex, font, number] of operators.matchAll(TOKEN)) {
    if (++tokens % TOKENS === 0 && isTimeUp(budget)) break;
    if (length > budget.limits.textCharacters) break;
    isWhole &&= (literal?.length ?? 0) < MAX_STRING_LENGTH;
    const codes = literal === undefined ? hex && fromHex(hex) : fromLiteral(literal);
    if (codes !== undefined) {
      const text = decode(codes, fonts);
      words.push(text);
      length += text.length;
    } else if (font !== undefined) fonts = maps.get(font) ?? [];
    else words.push(gapOf(token, number));
  }
  return { text: words.join(''), isWhole };
}

/** The separator between two strings. */
function gapOf(token: string, number: string | undefined): string {
  if (number !== undefined) return Number(number) < GAP ? ' ' : '';
  return token.startsWith('T') ? ' ' : '\n';
}

/** The map that knows most of the codes decides; without a map the codes are Latin letters. */
function decode(codes: string, fonts: readonly CharacterMap[]): string {
  let best = '';
  for (const { bytesPerCode, characters } of fonts) {
    let text = '';
    for (let at = 0; at + bytesPerCode <= codes.length; at += bytesPerCode) {
      const code =
        bytesPerCode === 2 ? codes.charCodeAt(at) * 256 + codes.charCodeAt(at + 1) : codes.charCodeAt(at);
      text += characters.get(code) ?? '';
    }
    if (text.length > best.length) best = text;
  }
  return best === '' ? codes.replace(/[^\x20-\x7e\xa0-\xff]/g, '') : best;
}

/** Decodes the text between the angle brackets of a string (section 7.3.4.3). */
export function fromHex(hex: string): string {
  return Buffer.from(hex.replace(/\s/g, ''), 'hex').toString('latin1');
}

/** Decodes the text between the parentheses of a string (section 7.3.4.2). */
export function fromLiteral(literal: string): string {
  if (!literal.includes('\\')) return literal;
  return literal.replace(/\\(?:([0-7]{1,3})|\r?\n|([\s\S]))/g, (_, octal?: string, character?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    if (character === undefined) return '';
    return 'nrtbf'.includes(character) ? ' ' : character;
  });
}

/** Returns the maps of all fonts, by the names that pages use for them. */
function characterMaps({ text, objects, streams }: PdfStructure): Map<string, CharacterMap[]> {
  const byObject = new Map<number, PdfStream>();
  for (const stream of streams) if (stream.object !== undefined) byObject.set(stream.object, stream);
  const read = new Map<number, CharacterMap | undefined>();
  const budget = { left: MAX_MAPPED };
  const maps = new Map<string, CharacterMap[]>();
  let fonts = 0;
  for (const [, inline, reference] of text.matchAll(FONTS)) {
    const named = inline ?? objects.get(Number(reference)) ?? '';
    for (const [, name = '', number] of named.matchAll(NAMED)) {
      if (++fonts > MAX_FONTS) return maps;
      const target = Number(/\/ToUnicode\s+(\d{1,8})/.exec(objects.get(Number(number)) ?? '')?.[1] ?? -1);
      if (!read.has(target)) read.set(target, readCharacterMap(byObject.get(target), budget));
      const map = read.get(target);
      const known = maps.get(name) ?? [];
      if (map && !known.includes(map)) maps.set(name, [...known, map].slice(0, 8));
    }
  }
  return maps;
}

function readCharacterMap(stream: PdfStream | undefined, budget: { left: number }): CharacterMap | undefined {
  if (stream === undefined) return undefined;
  const source = latin1(stream.bytes.subarray(0, 1024 * 1024));
  const characters = new Map<number, string>();
  const put = (code: number, text: string) => {
    if (budget.left-- > 0) characters.set(code, text);
  };
  let digits = 2;
  for (const [, section = ''] of source.matchAll(/beginbfchar([^g-z]*)ndbfchar/g)) {
    for (const [, code = '', text = ''] of section.matchAll(
      /<([0-9A-Fa-f]{1,8})>\s*<([0-9A-Fa-f\s]{1,64})>/g,
    )) {
      digits = Math.max(digits, code.length);
      put(Number.parseInt(code, 16), fromUtf16(text));
    }
  }
  for (const [, section = ''] of source.matchAll(/beginbfrange([^g-z]*)ndbfrange/g)) {
    for (const [, low = '', high = '', text, list = ''] of section.matchAll(RANGE)) {
      digits = Math.max(digits, low.length);
      const from = Number.parseInt(low, 16);
      const count = Math.min(Number.parseInt(high, 16) - from + 1, 0x10000, budget.left);
      const each = list.match(/[0-9A-Fa-f]{1,64}/g) ?? [];
      const start = fromUtf16(text ?? '').codePointAt(0) ?? 0;
      for (let index = 0; index < count; index++) {
        const character =
          text === undefined ? fromUtf16(each[index] ?? '') : String.fromCharCode(start + index);
        put(from + index, character);
      }
    }
  }
  return { bytesPerCode: digits > 2 ? 2 : 1, characters };
}

const RANGE =
  /<([0-9A-Fa-f]{1,8})>\s*<([0-9A-Fa-f]{1,8})>\s*(?:<([0-9A-Fa-f]{1,64})>|\[([0-9A-Fa-f<>\s]{1,65536})\])/g;

function fromUtf16(hex: string): string {
  const bytes = Buffer.from(hex.replace(/\s/g, ''), 'hex');
  return new TextDecoder('utf-16be').decode(bytes);
}

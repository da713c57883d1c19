import { type Budget, isTimeUp } from '../file-limits.ts';
import { latin1 } from '../file-type.ts';
import { unfilter } from './pdf-filters.ts';

const MAX_STREAMS = 2000;
/**
 * The dictionary is before its stream; of a longer one only the end is read, and the stream counts as unread.
 */
const MAX_DICTIONARY_LENGTH = 16_384;
/** Readers are lenient about what follows the keyword. */
const STREAM = />>\s{0,64}stream[ \t\f\0]{0,64}(?:\r\n?|\n)?|\bstream[ \t\f\0]{0,64}(?:\r\n?|\n)/g;
/** An object stream begins with pairs of number and offset (section 7.5.7). */
const HELD = /^\s*(?:\d{1,8}\s{1,4}){2,4000}(?=<<|\[|\()/;
const OBJECT = /\b(\d{1,8})\s{1,4}\d{1,5}\s{1,4}obj\b/g;
const SHOWN = /\/(?:Contents|N)\s*(?:(\d{1,8})\s+\d{1,5}\s+R|\[([^[\]]{0,65536})\])/g;
const REFERENCE = /(\d{1,8})\s+\d{1,5}\s+R/g;
const MAX_OBJECTS = 20_000;
/** Names are short and few are escaped; in packed streams one byte in 256 looks like the escape character. */
const MAX_ESCAPES = 100_000;
const MAX_OBJECT_LENGTH = 65_536;
/** Of objects outside of streams, of which there may be many. */
const MAX_SHORT_OBJECT_LENGTH = 4096;

/** One unpacked stream of a PDF document. */
export interface PdfStream {
  /** The number of its object, if known. */
  readonly object: number | undefined;
  readonly dictionary: string;
  readonly bytes: Uint8Array;
}

export interface PdfStructure {
  /** All text outside of streams and in object streams, with unescaped names. */
  readonly text: string;
  readonly streams: readonly PdfStream[];
  /** Objects by their number, as text. */
  readonly objects: ReadonlyMap<number, string>;
  readonly wasReadToItsEnd: boolean;
}

/**
 * Splits a PDF document (ISO 32000-1) by the keywords of its streams and objects, since its lists of objects
 * cannot be trusted. Never throws.
 */
export function readPdfStructure(bytes: Uint8Array, budget: Budget): PdfStructure {
  const raw = latin1(bytes);
  const streams: PdfStream[] = [];
  const texts = [raw];
  const objects = new Map<number, string>();
  const pictures = new Set<number>();
  let wasReadToItsEnd = true;
  let end = 0;
  for (const match of raw.matchAll(STREAM)) {
    const from = match.index + match[0].length;
    if (match.index < end) continue;
    if (streams.length === MAX_STREAMS || isTimeUp(budget) || budget.bytesLeft <= 0) {
      wasReadToItsEnd = false;
      break;
    }
    const before = objectBefore(raw, match.index, end);
    end = endOf(raw, from, before.dictionary);
    if (isPicture(before.dictionary)) {
      for (const number of before.numbers) pictures.add(number);
      continue;
    }
    const unpacked = unfilter(bytes.subarray(from, end), before.dictionary, budget);
    wasReadToItsEnd &&= unpacked.isWhole && before.isWhole;
    streams.push({ object: before.numbers.at(-1), dictionary: before.dictionary, bytes: unpacked.bytes });
    const held = HELD.exec(latin1(unpacked.bytes.subarray(0, MAX_OBJECT_LENGTH)))?.[0];
    if (held !== undefined || /\/ObjStm\b/.test(before.dictionary)) {
      const text = latin1(unpacked.bytes);
      texts.push(text);
      addHeldObjects(text, before.dictionary, objects);
    }
  }
  wasReadToItsEnd = addObjects(raw, objects) && wasReadToItsEnd;
  const text = unescapeNames(texts.join('\n'));
  if (pictures.size > 0) {
    const shown = isShownAsPage(text, objects);
    wasReadToItsEnd &&= ![...pictures].some((number) => shown.has(number));
  }
  return { text, streams, objects, wasReadToItsEnd };
}

interface Before {
  /** The objects since the last stream; the object of this stream is among them, usually the last. */
  readonly numbers: readonly number[];
  readonly dictionary: string;
  readonly isWhole: boolean;
}

function objectBefore(raw: string, at: number, lastEnd: number): Before {
  const before = raw.slice(Math.max(lastEnd, at - MAX_DICTIONARY_LENGTH), at);
  const numbers = [...before.matchAll(OBJECT)].map(([, number]) => Number(number));
  const opens = before.lastIndexOf(' obj');
  return {
    numbers,
    dictionary: unescapeNames(before.slice(Math.max(0, opens))),
    isWhole: numbers.length > 0,
  };
}

/**
 * Returns the end of a stream by its length, if that is correct, else by the first keyword, which may be
 * inside the stream.
 */
function endOf(raw: string, from: number, dictionary: string): number {
  const length = /\/Length\s+(\d{1,9})(?!\d|\s+\d+\s+R)/.exec(dictionary)?.[1];
  const statedEnd = from + Number(length ?? Number.NaN);
  if (/^\s{0,8}endstream/.test(raw.slice(statedEnd, statedEnd + 20))) return statedEnd;
  const end = raw.indexOf('endstream', from);
  return end < 0 ? raw.length : end;
}

/** Nothing in pictures can be read here. */
function isPicture(dictionary: string): boolean {
  return /\/Subtype\s*\/Image\b/.test(dictionary) && !/\/(?:ObjStm|EmbeddedFile)\b/.test(dictionary);
}

/** Returns the objects that are drawn as a page or a note, regardless of their type. */
function isShownAsPage(text: string, objects: ReadonlyMap<number, string>): Set<number> {
  const shown = new Set<number>();
  const addReferences = (list: string) => {
    for (const [, reference] of list.matchAll(REFERENCE)) shown.add(Number(reference));
  };
  for (const [, number, list] of text.matchAll(SHOWN)) {
    if (list !== undefined) addReferences(list);
    else if (!shown.has(Number(number))) {
      shown.add(Number(number));
      addReferences(objects.get(Number(number)) ?? '');
    }
  }
  return shown;
}

/** Section 7.5.7: pairs of object number and offset, then the objects from `First` on. */
function addHeldObjects(held: string, dictionary: string, objects: Map<number, string>): void {
  const first = Number(/\/First\s+(\d{1,8})/.exec(dictionary)?.[1] ?? HELD.exec(held)?.[0].length ?? 0);
  const numbers = held.slice(0, first).match(/\d{1,8}/g) ?? [];
  for (let index = 0; index + 1 < numbers.length && objects.size < MAX_OBJECTS; index += 2) {
    const from = first + Number(numbers[index + 1]);
    const next = numbers[index + 3];
    const to = next === undefined ? from + MAX_OBJECT_LENGTH : first + Number(next);
    objects.set(Number(numbers[index]), held.slice(from, Math.min(to, from + MAX_OBJECT_LENGTH)));
  }
}

/** Returns whether all objects were added. */
function addObjects(raw: string, objects: Map<number, string>): boolean {
  let seen = 0;
  for (const match of raw.matchAll(OBJECT)) {
    if (++seen > MAX_OBJECTS) return false;
    const from = match.index + match[0].length;
    objects.set(
      Number(match[1]),
      raw.slice(from, from + MAX_SHORT_OBJECT_LENGTH).split(/\bendobj\b|\bstream\b/, 1)[0] ?? '',
    );
  }
  return true;
}

/**
 * Section 7.3.5: any character of a name may be written as # and two digits, which hides it from simple
 * searches.
 */
function unescapeNames(text: string): string {
  let left = MAX_ESCAPES;
  for (let at = text.indexOf('#'); at >= 0 && left > 0; at = text.indexOf('#', at + 1)) left--;
  if (left === 0) return text;
  return text.replace(/#([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

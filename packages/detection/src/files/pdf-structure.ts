import { type Budget, isTimeUp } from './file-limits.ts';
import { latin1 } from './file-type.ts';
import { inflateWithin } from './inflate.ts';

const MOST_STREAMS = 2000;
/** A dictionary stands before its stream; of a longer one only the end is looked at. */
const LONGEST_DICTIONARY = 4096;
/** RFC 1950: two bytes before the deflate data. */
const ZLIB_HEADER_BYTES = 2;
const MOST_OBJECTS = 20_000;
/** Names are short and few are escaped; in packed streams one byte in 256 looks like the mark. */
const MOST_ESCAPES = 100_000;
const LONGEST_OBJECT = 65_536;

/** One stream of a PDF document, unpacked. */
export interface PdfStream {
  /** The number of its object, where that could be told. */
  readonly object: number | undefined;
  readonly dictionary: string;
  readonly bytes: Uint8Array;
}

export interface PdfStructure {
  /** All that stands in the open, and what compressed object streams hold, names unescaped. */
  readonly text: string;
  readonly streams: readonly PdfStream[];
  /** Objects by their number, as text. */
  readonly objects: ReadonlyMap<number, string>;
  readonly wasReadToItsEnd: boolean;
}

/**
 * Takes a PDF document (ISO 32000-1) apart by the keywords of its streams and objects: what is in it cannot be trusted to
 * be listed anywhere. Never throws.
 */
export function readPdfStructure(bytes: Uint8Array, budget: Budget): PdfStructure {
  const raw = latin1(bytes);
  const streams: PdfStream[] = [];
  const texts = [raw];
  const objects = new Map<number, string>();
  let wasReadToItsEnd = true;
  let end = 0;
  for (const match of raw.matchAll(/\bstream\r?\n/g)) {
    const from = match.index + match[0].length;
    if (match.index < end) continue;
    if (streams.length === MOST_STREAMS || isTimeUp(budget) || budget.bytesLeft <= 0) {
      wasReadToItsEnd = false;
      break;
    }
    end = raw.indexOf('endstream', from);
    if (end < 0) end = raw.length;
    const before = objectBefore(raw, match.index);
    const unpacked = unpackStream(bytes.subarray(from, end), before.dictionary, budget);
    if (unpacked === undefined) continue;
    wasReadToItsEnd &&= unpacked.isWhole;
    streams.push({ ...before, bytes: unpacked.bytes });
    if (/\/ObjStm\b/.test(before.dictionary)) {
      const held = latin1(unpacked.bytes);
      texts.push(held);
      addHeldObjects(held, before.dictionary, objects);
    }
  }
  wasReadToItsEnd = addObjects(raw, objects) && wasReadToItsEnd;
  return { text: unescapeNames(texts.join('\n')), streams, objects, wasReadToItsEnd };
}

function objectBefore(raw: string, at: number): { object: number | undefined; dictionary: string } {
  const before = raw.slice(Math.max(0, at - LONGEST_DICTIONARY), at);
  const opens = before.lastIndexOf(' obj');
  const number = /(\d{1,8})\s+\d{1,5}$/.exec(before.slice(Math.max(0, opens - 20), Math.max(0, opens)))?.[1];
  return {
    object: number === undefined ? undefined : Number(number),
    dictionary: unescapeNames(before.slice(Math.max(0, opens))),
  };
}

/** Undefined for pictures, in which nothing here can be read. */
function unpackStream(
  packed: Uint8Array,
  dictionary: string,
  budget: Budget,
): { bytes: Uint8Array; isWhole: boolean } | undefined {
  if (/\/Subtype\s*\/Image\b/.test(dictionary)) return undefined;
  const [first = 0, second = 0] = packed;
  const isZlib = (first & 0x0f) === 8 && (256 * first + second) % 31 === 0;
  if (!isZlib) return { bytes: packed, isWhole: !/Decode\b/.test(dictionary) };
  const { bytes, stopped } = inflateWithin(packed.subarray(ZLIB_HEADER_BYTES), budget);
  return { bytes, isWhole: stopped === undefined };
}

/** Section 7.5.7: pairs of object number and offset, then the objects from `First` on. */
function addHeldObjects(held: string, dictionary: string, objects: Map<number, string>): void {
  const first = Number(/\/First\s+(\d{1,8})/.exec(dictionary)?.[1] ?? 0);
  const numbers = held.slice(0, first).match(/\d{1,8}/g) ?? [];
  for (let index = 0; index + 1 < numbers.length && objects.size < MOST_OBJECTS; index += 2) {
    const from = first + Number(numbers[index + 1]);
    const next = numbers[index + 3];
    const to = next === undefined ? from + LONGEST_OBJECT : first + Number(next);
    objects.set(Number(numbers[index]), held.slice(from, Math.min(to, from + LONGEST_OBJECT)));
  }
}

/** Whether there were no more. */
function addObjects(raw: string, objects: Map<number, string>): boolean {
  let seen = 0;
  for (const match of raw.matchAll(/\b(\d{1,8})\s{1,4}\d{1,5}\s{1,4}obj\b/g)) {
    if (++seen > MOST_OBJECTS) return false;
    const from = match.index + match[0].length;
    objects.set(
      Number(match[1]),
      raw.slice(from, from + LONGEST_DICTIONARY).split(/\bendobj\b|\bstream\b/, 1)[0] ?? '',
    );
  }
  return true;
}

/** Section 7.3.5: any character of a name may be written as # and two digits, which hides it from simple searches. */
function unescapeNames(text: string): string {
  let left = MOST_ESCAPES;
  for (let at = text.indexOf('#'); at >= 0 && left > 0; at = text.indexOf('#', at + 1)) left--;
  if (left === 0) return text;
  return text.replace(/#([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

import { inflateWithin } from '../archive/inflate.ts';
import type { Budget } from '../file-limits.ts';
import { latin1 } from '../file-type.ts';

/** RFC 1950: two bytes before the deflate data. */
const ZLIB_HEADER_BYTES = 2;
const MAX_FILTERS = 4;
/** Filters of ISO 32000-1, table 6, and the abbreviations that readers accept (table 94). */
const FILTER = /\/(?:[A-Za-z0-9]{1,32}Decode|Crypt|Fl|AHx|A85|LZW|RL|CCF|DCT)(?![A-Za-z0-9])/g;
/** Of a stream that is decoded from text; page contents are far shorter. */
const MAX_LETTERS = 2 * 1024 * 1024;
const INDIRECT = /\/Filter\s+\d/;
/** Cross-reference tables are stored as differences; elsewhere a predictor could hide data. */
const DIFFERENCES = /\/Predictor\s+(?:[2-9]|1\d)/;
const HEX = /^[\s0-9A-Fa-f]*>?\s*$/;
const ASCII85 = /^\s*(?:<~)?[\s!-uz]*~>?\s*$/;

interface UnfilterResult {
  readonly bytes: Uint8Array;
  /** The bytes are those that a PDF reader would see. */
  readonly isWhole: boolean;
}

/**
 * Decodes the filters of a stream: Flate, ASCII85 and ASCIIHex. It goes by the bytes, since the dictionary
 * can be crafted to mislead; if the dictionary names more filters than were decoded, the stream counts as
 * unread.
 */
export function unfilter(packed: Uint8Array, dictionary: string, budget: Budget): UnfilterResult {
  const named = dictionary.match(FILTER)?.length ?? 0;
  let bytes = packed;
  let taken = 0;
  for (; taken < MAX_FILTERS; taken++) {
    if (isZlib(bytes)) {
      const inflated = inflateWithin(bytes.subarray(ZLIB_HEADER_BYTES), budget);
      bytes = inflated.bytes;
      if (inflated.stopped !== undefined) return { bytes, isWhole: false };
    } else {
      const decoded = taken < named && bytes.length <= MAX_LETTERS ? fromLetters(bytes) : undefined;
      if (decoded === undefined) break;
      bytes = decoded.subarray(0, Math.max(0, budget.bytesLeft));
      budget.bytesLeft -= bytes.length;
    }
  }
  const isDifferences = DIFFERENCES.test(dictionary) && !/\/XRef\b/.test(dictionary);
  return { bytes, isWhole: taken >= named && !INDIRECT.test(dictionary) && !isDifferences };
}

function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (256 * first + second) % 31 === 0;
}

function fromLetters(bytes: Uint8Array): Uint8Array | undefined {
  const text = latin1(bytes);
  if (HEX.test(text)) return Buffer.from(text.replace(/[\s>]/g, ''), 'hex');
  return ASCII85.test(text) ? decodeAscii85(text) : undefined;
}

/** Section 7.4.3: five letters are four bytes, and `z` stands for four zeros. */
function decodeAscii85(text: string): Uint8Array {
  const letters = text.replace(/^\s*<~|\s|~>?/g, '').replaceAll('z', '!!!!!');
  const bytes = Buffer.alloc(Math.ceil(letters.length / 5) * 4);
  for (let at = 0; at < letters.length; at += 5) {
    const group = letters.slice(at, at + 5).padEnd(5, 'u');
    let value = 0;
    for (let index = 0; index < 5; index++) value = value * 85 + group.charCodeAt(index) - 33;
    bytes.writeUInt32BE(value % 0x1_0000_0000, (at / 5) * 4);
  }
  return bytes.subarray(0, Math.floor((letters.length * 4) / 5));
}

import type { Steps } from '../../../platform/concurrency/fair-turns.ts';

/** Takes less than 1 ms. */
const STEP_BYTES = 65_536;
const BACKSLASH = 0x5c;
const EQUALS = 0x3d;

const ALPHABET = new Uint8Array(256);
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'))
  ALPHABET[byte] = 1;

/**
 * Returns whether bytes inside a JSON string are Base64 with padding (RFC 4648, section 4), in steps. They may be escaped as
 * JSON allows. Decodes nothing: a thread does that.
 */
export function* isBase64(bytes: Buffer): Steps<boolean> {
  let [at, length, padding] = [0, 0, 0];
  while (at < bytes.length) {
    const stepEnd = Math.min(at + STEP_BYTES, bytes.length);
    while (at < stepEnd) {
      let byte = bytes[at] as number;
      if (byte !== BACKSLASH) at += 1;
      else [byte, at] = readEscape(bytes, at);
      if (byte === EQUALS) padding += 1;
      else if (padding > 0 || ALPHABET[byte] !== 1) return false;
      length += 1;
    }
    yield;
  }
  return padding <= 2 && length % 4 === 0;
}

/** Returns the character of an escape, and where the next one begins. */
function readEscape(bytes: Buffer, at: number): [byte: number, next: number] {
  const isUnicode = bytes[at + 1] === 'u'.charCodeAt(0);
  const next = at + (isUnicode ? 6 : 2);
  try {
    const text = JSON.parse(`"${bytes.toString('latin1', at, next)}"`) as string;
    return [text.charCodeAt(0), next];
  } catch {
    return [0, next];
  }
}

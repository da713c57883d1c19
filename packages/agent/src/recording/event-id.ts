const DIGITS = '0123456789abcdefghijklmnopqrstuv';
const RANDOM_BYTES = 10;
const TIME_BYTES = 6;

/** Creates an event id of 48 bits of time and 80 random bits: a device's ids sort by time and do not repeat. */
export function createEventId(nowMs: number, randomBytes: (count: number) => Uint8Array): string {
  const bytes = new Uint8Array(TIME_BYTES + RANDOM_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(Math.max(0, Math.trunc(nowMs))) << 16n);
  bytes.set(randomBytes(RANDOM_BYTES), TIME_BYTES);
  return `evt_${base32(bytes)}`;
}

/** Encodes base32hex (RFC 4648 §7), whose digits sort by value, in lower case and without padding. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let pending = 0;
  for (const byte of bytes) {
    pending = ((pending << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += DIGITS.charAt((pending >> (bits - 5)) & 31);
  }
  return bits === 0 ? text : text + DIGITS.charAt((pending << (5 - bits)) & 31);
}

import { createHash, randomBytes } from 'node:crypto';

/** Crockford's base32 in lower case: its characters ascend in ASCII, so text order equals numeric order. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BODY_LENGTH = 26;

/** An id made by the service: a prefix and a UUIDv7 (RFC 9562, section 5.7) in 26 lower-case base32 characters. */
export type ServiceId<Prefix extends string> = `${Prefix}_${string}`;

/**
 * Creates an id. Ids of one prefix sort by `nowMs` (milliseconds since the epoch); within one millisecond they are
 * random.
 */
export function createId<Prefix extends string>(prefix: Prefix, nowMs: number): ServiceId<Prefix> {
  const random = randomBytes(10);
  return toId(prefix, { atMs: nowMs, randA: random.readUInt16BE(0), randB: random.subarray(2) });
}

/**
 * Creates the id of something derived from stored data, so that deriving it again gives the same id.
 * `order` (its low 12 bits) sorts ids of one millisecond; `seed` is what makes the thing unique.
 */
export function derivedId<Prefix extends string>(
  prefix: Prefix,
  { atMs, order, seed }: { atMs: number; order: number; seed: string },
): ServiceId<Prefix> {
  const digest = createHash('sha256').update(seed).digest();
  // rand_b is the digest's *first* 62 bits: shifted right by two to leave room for the variant.
  const randB = Buffer.alloc(8);
  randB.writeBigUInt64BE(digest.readBigUInt64BE(0) >> 2n);
  return toId(prefix, { atMs, randA: order, randB });
}

/** Returns a lower bound: ids of this prefix made before `atMs` sort before it, and later ones never do. */
export function firstIdAt<Prefix extends string>(prefix: Prefix, atMs: number): ServiceId<Prefix> {
  return toId(prefix, { atMs, randA: 0, randB: Buffer.alloc(8) });
}

/** Matches exactly the ids that `createId` and `derivedId` make for this prefix. */
export function idPattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}_[0-7][${ALPHABET}]{${BODY_LENGTH - 1}}$`);
}

function toId<Prefix extends string>(
  prefix: Prefix,
  { atMs, randA, randB }: { atMs: number; randA: number; randB: Buffer },
): ServiceId<Prefix> {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeUIntBE(atMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | (randA & 0x0fff), 6);
  randB.copy(bytes, 8, 0, 8);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return `${prefix}_${toBase32(bytes)}`;
}

/** 128 bits in 26 characters of 5 bits: two zero bits lead the number, so the first character is 0 to 7. */
function toBase32(bytes: Buffer): string {
  let text = '';
  let pending = 0;
  let pendingBits = 2;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    pendingBits += 8;
    while (pendingBits >= 5) {
      pendingBits -= 5;
      text += ALPHABET.charAt((pending >>> pendingBits) & 31);
    }
    pending &= (1 << pendingBits) - 1;
  }
  return text;
}

/** Returns the time, in milliseconds since the epoch, of an id that `createId` or `derivedId` made. */
export function timeOfId(id: string): number {
  const body = id.slice(-BODY_LENGTH);
  // 2 zero bits and 48 bits of time are exactly the first ten characters.
  return [...body.slice(0, 10)].reduce((time, character) => time * 32 + ALPHABET.indexOf(character), 0);
}

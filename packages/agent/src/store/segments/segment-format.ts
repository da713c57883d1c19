import { concatBytes, encodeText, toDataView } from '../../encoding/bytes.ts';

/*
 * A segment is a header and then frames:
 *
 *   header  "TPSL" · version · 3 zero bytes · segment id (16 bytes)
 *   frame   marker (4) · length of what is sealed (4) · index (4) · CRC-32 of these twelve (4) · ciphertext and tag
 *
 * Its data key is in a file beside it, wrapped:
 *
 *   key     "TPSK" · version · 3 zero bytes · segment id (16) · wrapped data key · CRC-32 of all before (4)
 *
 * Numbers are big-endian. The id in the key file is the one used, so a damaged header does no harm.
 */
const VERSION = 1;
const LOG_MAGIC = [0x54, 0x50, 0x53, 0x4c, VERSION, 0, 0, 0];
const KEY_MAGIC = [0x54, 0x50, 0x53, 0x4b, VERSION, 0, 0, 0];
/** No UTF-8 text and no run of equal bytes contains it. */
const MARKER = 0xd7f5a31c;

export const SEGMENT_ID_BYTES = 16;
export const HEADER_BYTES = LOG_MAGIC.length + SEGMENT_ID_BYTES;
export const FRAME_HEADER_BYTES = 16;
export const TAG_BYTES = 16;
/** The largest event of the contract takes about 230 KiB when each character needs an escape. */
export const MAX_PLAINTEXT_BYTES = 256 * 1024;
/** A segment is closed once it is full, so one write of at most a segment's size may exceed its size. */
export const LOG_LIMIT_BYTES = 4 * 1024 * 1024;
/** A journal holds up to 50 bytes per stored event and is read as a whole. A larger budget raises this limit. */
export const JOURNAL_LIMIT_BYTES = 64 * 1024 * 1024;
/** Keys wrapped by hardware key stores take a few hundred bytes. */
export const KEY_FILE_LIMIT_BYTES = 8 * 1024;

export function encodeHeader(id: Uint8Array): Uint8Array {
  return Uint8Array.from([...LOG_MAGIC, ...id]);
}

export function encodeFrame(index: number, sealed: Uint8Array): Uint8Array {
  const frame = new Uint8Array(FRAME_HEADER_BYTES + sealed.length);
  const view = toDataView(frame);
  view.setUint32(0, MARKER);
  view.setUint32(4, sealed.length);
  view.setUint32(8, index);
  view.setUint32(12, crc32(frame.subarray(0, 12)));
  frame.set(sealed, FRAME_HEADER_BYTES);
  return frame;
}

export interface FrameHeader {
  readonly index: number;
  readonly sealedBytes: number;
}

/** Reads the frame header at a position; undefined when it is not valid. The frame may still end beyond the file. */
export function readFrameHeader(view: DataView, at: number): FrameHeader | undefined {
  if (at + FRAME_HEADER_BYTES > view.byteLength || view.getUint32(at) !== MARKER) {
    return undefined;
  }
  const checked = new Uint8Array(view.buffer, view.byteOffset + at, 12);
  const sealedBytes = view.getUint32(at + 4);
  if (crc32(checked) !== view.getUint32(at + 12)) {
    return undefined;
  }
  const isValid = sealedBytes >= TAG_BYTES && sealedBytes <= MAX_PLAINTEXT_BYTES + TAG_BYTES;
  return isValid ? { index: view.getUint32(at + 8), sealedBytes } : undefined;
}

/** Returns the position of the next marker from `at` on, or the end of the bytes. */
export function findMarker(bytes: Uint8Array, at: number): number {
  const view = toDataView(bytes);
  const first = MARKER >>> 24;
  let found = bytes.indexOf(first, at);
  while (found >= 0 && found + 4 <= bytes.length) {
    if (view.getUint32(found) === MARKER) {
      return found;
    }
    found = bytes.indexOf(first, found + 1);
  }
  return bytes.length;
}

/** Returns the nonce of a record. Each segment has its own key and uses each index once, so that no nonce repeats. */
export function toNonce(index: number): Uint8Array {
  const nonce = new Uint8Array(12);
  toDataView(nonce).setUint32(8, index);
  return nonce;
}

/** Returns the additional data that binds a record to its segment, by name and id, and to its index. */
export function toAdditionalData(segment: string, id: Uint8Array, index: number): Uint8Array {
  const position = new Uint8Array(4);
  toDataView(position).setUint32(0, index);
  return concatBytes([id, position, encodeText(segment)]);
}

export interface KeyFile {
  readonly id: Uint8Array;
  readonly wrapped: Uint8Array;
}

export function encodeKeyFile({ id, wrapped }: KeyFile): Uint8Array {
  const body = concatBytes([Uint8Array.from(KEY_MAGIC), id, wrapped]);
  const check = new Uint8Array(4);
  toDataView(check).setUint32(0, crc32(body));
  return concatBytes([body, check]);
}

/** Parses a key file; undefined when it is damaged or of another version. */
export function decodeKeyFile(bytes: Uint8Array): KeyFile | undefined {
  const start = KEY_MAGIC.length + SEGMENT_ID_BYTES;
  const end = bytes.length - 4;
  if (end <= start || KEY_MAGIC.some((byte, index) => bytes[index] !== byte)) {
    return undefined;
  }
  if (crc32(bytes.subarray(0, end)) !== toDataView(bytes).getUint32(end)) {
    return undefined;
  }
  return { id: bytes.slice(KEY_MAGIC.length, start), wrapped: bytes.slice(start, end) };
}

/** CRC-32 of IEEE 802.3. It detects accidents; the authenticated encryption detects tampering. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return value;
});

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value = (value >>> 8) ^ (CRC_TABLE[(value ^ byte) & 0xff] ?? 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

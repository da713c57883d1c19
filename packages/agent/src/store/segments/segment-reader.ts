import { toDataView } from '../../encoding/bytes.ts';
import type { DataKey } from '../../ports/keys.ts';
import {
  FRAME_HEADER_BYTES,
  findMarker,
  HEADER_BYTES,
  readFrameHeader,
  toAdditionalData,
  toNonce,
} from './segment-format.ts';

/** The name, id and key that open the records of one segment. */
export interface SegmentKey {
  readonly segment: string;
  readonly id: Uint8Array;
  readonly key: DataKey;
}

/** The position of a record's frame in its segment. */
export interface FramePosition {
  readonly index: number;
  readonly offset: number;
  readonly sealedBytes: number;
}

export interface SegmentContent {
  readonly records: readonly (FramePosition & { readonly plaintext: Uint8Array })[];
  /** Records that existed and cannot be read. A torn end does not count. */
  readonly damaged: number;
}

/** Valid frames that do not open cost a decryption each. A forged file of them costs at most this many reads of the file. */
const MAX_READINGS = 8;

/**
 * Reads a whole segment, even a damaged one. Returns only records that authenticate, each index once. After damage it
 * continues at the next marker.
 */
export async function readSegment(opener: SegmentKey, bytes: Uint8Array): Promise<SegmentContent> {
  const found = new Map<number, FramePosition & { plaintext: Uint8Array }>();
  let bytesToOpen = MAX_READINGS * bytes.length;
  let [highest, hasUnreadableEnd, at] = [-1, false, Math.min(HEADER_BYTES, bytes.length)];
  while (at < bytes.length) {
    const position = positionAt(bytes, at);
    const plaintext = position && bytesToOpen > 0 ? await openRecord(opener, bytes, position) : undefined;
    bytesToOpen -= position?.sealedBytes ?? 0;
    if (position === undefined || plaintext === undefined) {
      hasUnreadableEnd ||= !isTorn(bytes, at);
      at = findMarker(bytes, at + 1);
      continue;
    }
    if (!found.has(position.index)) {
      found.set(position.index, { ...position, plaintext });
    }
    highest = Math.max(highest, position.index);
    hasUnreadableEnd = false;
    at += FRAME_HEADER_BYTES + position.sealedBytes;
  }
  const missing = highest + 1 - found.size;
  return { records: [...found.values()], damaged: missing + (hasUnreadableEnd ? 1 : 0) };
}

/** Returns the frame that begins here; undefined when it is not valid or ends beyond the file. */
function positionAt(bytes: Uint8Array, offset: number): FramePosition | undefined {
  const header = readFrameHeader(toDataView(bytes), offset);
  const fits = header !== undefined && offset + FRAME_HEADER_BYTES + header.sealedBytes <= bytes.length;
  return fits ? { ...header, offset } : undefined;
}

/**
 * Whether the file ends within the frame that begins here: the process ended while it wrote this record, before it
 * reported the record as stored.
 */
function isTorn(bytes: Uint8Array, at: number): boolean {
  const isCutOff =
    readFrameHeader(toDataView(bytes), at) !== undefined && positionAt(bytes, at) === undefined;
  return isCutOff || bytes.length - at < FRAME_HEADER_BYTES;
}

/** Opens the record at a position; undefined when its bytes were changed. */
export async function openRecord(
  opener: SegmentKey,
  bytes: Uint8Array,
  position: FramePosition,
): Promise<Uint8Array | undefined> {
  const start = position.offset + FRAME_HEADER_BYTES;
  const sealed = bytes.subarray(start, start + position.sealedBytes);
  if (sealed.length !== position.sealedBytes) {
    return undefined;
  }
  const additionalData = toAdditionalData(opener.segment, opener.id, position.index);
  return opener.key.open(toNonce(position.index), sealed, additionalData);
}

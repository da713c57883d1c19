import { viewOf } from '../../encoding/bytes.ts';
import type { DataKey } from '../../ports/keys.ts';
import {
  additionalDataOf,
  FRAME_HEADER_BYTES,
  findMarker,
  HEADER_BYTES,
  nonceOf,
  readFrameHeader,
} from './segment-format.ts';

/** What opens the records of one segment. */
export interface SegmentKey {
  readonly segment: string;
  readonly id: Uint8Array;
  readonly key: DataKey;
}

/** Where a record's frame lies in its segment. */
export interface Place {
  readonly index: number;
  readonly offset: number;
  readonly sealedBytes: number;
}

export interface SegmentContent {
  readonly records: readonly (Place & { readonly plaintext: Uint8Array })[];
  /** Records that are known to have been there and could not be read. A torn end is not among them. */
  readonly damaged: number;
}

/** Sound frames that do not open cost a decryption each; a file made of them must not cost more than this many reads. */
const MAX_READINGS = 8;

/**
 * Reads a whole segment, whatever became of its bytes: gives the records that authenticate, each index once, and never
 * anything else. After damage it goes on at the next marker.
 */
export function readSegment(opener: SegmentKey, bytes: Uint8Array): SegmentContent {
  const found = new Map<number, Place & { plaintext: Uint8Array }>();
  let bytesToOpen = MAX_READINGS * bytes.length;
  let [highest, hasUnreadableEnd, at] = [-1, false, Math.min(HEADER_BYTES, bytes.length)];
  while (at < bytes.length) {
    const place = placeAt(bytes, at);
    const plaintext = place && bytesToOpen > 0 ? openRecord(opener, bytes, place) : undefined;
    bytesToOpen -= place?.sealedBytes ?? 0;
    if (place === undefined || plaintext === undefined) {
      hasUnreadableEnd ||= !isTorn(bytes, at);
      at = findMarker(bytes, at + 1);
      continue;
    }
    if (!found.has(place.index)) {
      found.set(place.index, { ...place, plaintext });
    }
    highest = Math.max(highest, place.index);
    hasUnreadableEnd = false;
    at += FRAME_HEADER_BYTES + place.sealedBytes;
  }
  const missing = highest + 1 - found.size;
  return { records: [...found.values()], damaged: missing + (hasUnreadableEnd ? 1 : 0) };
}

/** Finds the frame that begins here; undefined when there is no sound one that ends within the file. */
function placeAt(bytes: Uint8Array, offset: number): Place | undefined {
  const header = readFrameHeader(viewOf(bytes), offset);
  const fits = header !== undefined && offset + FRAME_HEADER_BYTES + header.sealedBytes <= bytes.length;
  return fits ? { ...header, offset } : undefined;
}

/**
 * Whether the file ends within the frame that begins here: the process died while it wrote this record, and had not
 * told anyone that it is stored.
 */
function isTorn(bytes: Uint8Array, at: number): boolean {
  const isCutOff = readFrameHeader(viewOf(bytes), at) !== undefined && placeAt(bytes, at) === undefined;
  return isCutOff || bytes.length - at < FRAME_HEADER_BYTES;
}

/** Opens one record whose place is known; undefined when its bytes are not what was written. */
export function openRecord(opener: SegmentKey, bytes: Uint8Array, place: Place): Uint8Array | undefined {
  const start = place.offset + FRAME_HEADER_BYTES;
  const sealed = bytes.subarray(start, start + place.sealedBytes);
  if (sealed.length !== place.sealedBytes) {
    return undefined;
  }
  const additionalData = additionalDataOf(opener.segment, opener.id, place.index);
  return opener.key.open(nonceOf(place.index), sealed, additionalData);
}

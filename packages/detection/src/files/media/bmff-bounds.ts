const BRAND = 'ftyp';
const HEADER_BYTES = 8;
const VERSION_BYTES = 4;
/** Pictures have tens of boxes, films without fragments hundreds. */
const MAX_BOXES = 5000;
/** Boxes that hold boxes (ISO 14496-12), `meta` after four bytes of version and flags. */
const CONTAINERS = new Set(
  'cinf dinf edts grp1 mdia meco meta mfra minf moof moov mvex paen rinf sinf stbl strd strk traf trak udta'.split(
    ' ',
  ),
);

/** Returns whether the bytes belong to the family of MP4 and HEIF. */
export function isBmff(bytes: Uint8Array): boolean {
  return typeAt(bytes, 0) === BRAND;
}

/**
 * Returns whether a reader that follows every box and count will finish in time: two million empty boxes take
 * it four seconds, and item locations without size take any time.
 */
export function isBoundedBmff(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ranges: Range[] = [{ from: 0, to: bytes.length }];
  let boxesLeft = MAX_BOXES;
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    for (let at = range.from; at + HEADER_BYTES <= range.to; ) {
      const size = sizeAt(view, at, range.to);
      if (boxesLeft-- === 0 || size < HEADER_BYTES || at + size > range.to) return false;
      const type = typeAt(bytes, at);
      // Extents whose offset and length take no bytes can be of any number.
      if (type === 'iloc' && bytes[at + HEADER_BYTES + VERSION_BYTES] === 0) return false;
      if (CONTAINERS.has(type)) {
        const payload = at + HEADER_BYTES + (type === 'meta' ? VERSION_BYTES : 0);
        ranges.push({ from: payload, to: at + size });
      }
      at += size;
    }
  }
  return true;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** 0 means the rest of the file, 1 a length of eight bytes after the type; no box here is that long. */
function sizeAt(view: DataView, at: number, end: number): number {
  const size = view.getUint32(at);
  if (size === 0) return end - at;
  if (size === 1 && at + 16 <= end) return Number(view.getBigUint64(at + 8));
  return size;
}

function typeAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at + 4, at + 8));
}

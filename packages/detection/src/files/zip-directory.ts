import { decodeText } from './file-type.ts';

/** Where the end record may begin at the earliest: after it comes a comment of at most 65,535 bytes (APPNOTE.TXT 4.3.16). */
const END_RECORD_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const END_RECORD = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
const ENCRYPTED = 1;
const LONGEST_NAME = 1024;

export interface ZipEntry {
  readonly name: string;
  /** 0 stored, 8 deflated (APPNOTE.TXT 4.4.5). */
  readonly method: number;
  readonly isEncrypted: boolean;
  /** As packed, within the archive. Empty when it would lie outside. */
  readonly packed: Uint8Array;
  /** All of it is where the directory says. */
  readonly isThere: boolean;
}

export interface ZipDirectory {
  readonly entries: readonly ZipEntry[];
  /** More entries than were asked for. */
  readonly hasMore: boolean;
  /** Entries share bytes: nothing but a bomb or a forgery does that. */
  readonly overlaps: boolean;
  /** Where the central directory begins: before it may lie an APK's signing block. */
  readonly startsAt: number;
}

/** Reads the central directory of a zip archive, at most so many entries. Undefined when there is none. Never throws. */
export function readZipDirectory(bytes: Uint8Array, mostEntries: number): ZipDirectory | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEndRecord(view);
  if (end === undefined) return undefined;
  const startsAt = view.getUint32(end + 16, true);
  const entries: (ZipEntry & { readonly from: number; readonly to: number })[] = [];
  let at = startsAt;
  while (at + DIRECTORY_ENTRY_BYTES <= end && view.getUint32(at, true) === DIRECTORY_ENTRY) {
    if (entries.length === mostEntries) break;
    const nameLength = view.getUint16(at + 28, true);
    const name = bytes.subarray(at + DIRECTORY_ENTRY_BYTES, at + DIRECTORY_ENTRY_BYTES + nameLength);
    const from = view.getUint32(at + 42, true);
    const packedLength = view.getUint32(at + 20, true);
    const dataAt = findData(view, from);
    const to = dataAt === undefined ? from : dataAt + packedLength;
    entries.push({
      name: decodeText(name.subarray(0, LONGEST_NAME)),
      method: view.getUint16(at + 10, true),
      isEncrypted: (view.getUint16(at + 8, true) & ENCRYPTED) !== 0,
      isThere: dataAt !== undefined && to <= startsAt,
      packed: dataAt === undefined ? bytes.subarray(0, 0) : bytes.subarray(dataAt, Math.min(to, startsAt)),
      from,
      to,
    });
    at += DIRECTORY_ENTRY_BYTES + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  const hasMore = entries.length < view.getUint16(end + 10, true);
  return { entries, hasMore, overlaps: doOverlap(entries), startsAt };
}

function findEndRecord(view: DataView): number | undefined {
  const earliest = Math.max(0, view.byteLength - END_RECORD_BYTES - LONGEST_COMMENT);
  for (let at = view.byteLength - END_RECORD_BYTES; at >= earliest; at--) {
    if (view.getUint32(at, true) === END_RECORD && view.getUint32(at + 16, true) <= at) return at;
  }
  return undefined;
}

function findData(view: DataView, from: number): number | undefined {
  if (from + LOCAL_HEADER_BYTES > view.byteLength || view.getUint32(from, true) !== LOCAL_HEADER) {
    return undefined;
  }
  const at = from + LOCAL_HEADER_BYTES + view.getUint16(from + 26, true) + view.getUint16(from + 28, true);
  return at <= view.byteLength ? at : undefined;
}

function doOverlap(entries: readonly { readonly from: number; readonly to: number }[]): boolean {
  const inOrder = [...entries].sort((one, other) => one.from - other.from);
  return inOrder.some(({ to }, index) => to > (inOrder[index + 1]?.from ?? Number.POSITIVE_INFINITY));
}

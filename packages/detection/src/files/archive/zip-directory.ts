import { decodeText } from '../file-type.ts';

/**
 * The earliest start of the end record: a comment of at most 65,535 bytes follows it (APPNOTE.TXT 4.3.16).
 */
const END_RECORD_BYTES = 22;
const MAX_COMMENT_LENGTH = 0xffff;
const END_RECORD = Buffer.from('PK\x05\x06', 'latin1');
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
const ENCRYPTED = 1;
const MAX_NAME_LENGTH = 1024;

export interface ZipEntry {
  readonly name: string;
  /** 0 stored, 8 deflated (APPNOTE.TXT 4.4.5). */
  readonly method: number;
  readonly isEncrypted: boolean;
  /** The packed bytes, as far as they are within the archive. */
  readonly packed: Uint8Array;
  /** All packed bytes are where the directory says. */
  readonly isThere: boolean;
}

export interface ZipDirectory {
  readonly entries: readonly ZipEntry[];
  /** The archive has more entries than requested. */
  readonly hasMore: boolean;
  /** Entries share bytes, which only a bomb or a forgery does. */
  readonly overlaps: boolean;
  /**
   * The archive holds files that its directory does not list, or lists under other names: other readers find
   * other files.
   */
  readonly disagrees: boolean;
  /** Where the central directory begins: an APK's signing block may be before it. */
  readonly startsAt: number;
}

interface LocatedEntry extends ZipEntry {
  readonly from: number;
  readonly to: number;
  /** The header before the data has the same name as the directory. */
  readonly hasSameName: boolean;
}

/**
 * Reads the central directory of a zip archive, up to a number of entries. Undefined without one. Never
 * throws.
 */
export function readZipDirectory(bytes: Uint8Array, maxEntries: number): ZipDirectory | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEndRecord(view);
  if (end === undefined) return undefined;
  const { startsAt, shift } = locate(view, end);
  const entries: LocatedEntry[] = [];
  let at = startsAt;
  while (at + DIRECTORY_ENTRY_BYTES <= end && view.getUint32(at, true) === DIRECTORY_ENTRY) {
    if (entries.length === maxEntries) break;
    entries.push(readEntry(bytes, view, { at, startsAt, shift }));
    at += DIRECTORY_ENTRY_BYTES;
    at += lengthOfTail(view, at);
  }
  const hasMore = entries.length < view.getUint16(end + 10, true);
  const inOrder = [...entries].sort((one, other) => one.from - other.from);
  return {
    entries,
    hasMore,
    overlaps: inOrder.some(({ to }, index) => to > (inOrder[index + 1]?.from ?? Number.POSITIVE_INFINITY)),
    disagrees:
      entries.some(({ hasSameName }) => !hasSameName) ||
      hidesFiles(bytes, inOrder, startsAt) ||
      contains(bytes.subarray(at, end), 'PK\x01\x02'),
    startsAt,
  };
}

/**
 * Returns where the directory begins. Data before the archive, such as another archive, shifts all offsets in
 * it: readers find the directory by its length, right before the end record, unless only the offset leads to
 * one.
 */
function locate(view: DataView, end: number): { readonly startsAt: number; readonly shift: number } {
  const statedStart = view.getUint32(end + 16, true);
  const byLength = end - view.getUint32(end + 12, true);
  const isThere = byLength > statedStart && view.getUint32(byLength, true) === DIRECTORY_ENTRY;
  return isThere
    ? { startsAt: byLength, shift: byLength - statedStart }
    : { startsAt: statedStart, shift: 0 };
}

function readEntry(
  bytes: Uint8Array,
  view: DataView,
  { at, startsAt, shift }: { at: number; startsAt: number; shift: number },
): LocatedEntry {
  const nameAt = at + DIRECTORY_ENTRY_BYTES;
  const name = bytes.subarray(nameAt, nameAt + view.getUint16(at + 28, true));
  const from = view.getUint32(at + 42, true) + shift;
  const dataAt = findData(view, from);
  const to = dataAt === undefined ? from : dataAt + view.getUint32(at + 20, true);
  return {
    name: decodeText(name.subarray(0, MAX_NAME_LENGTH)),
    method: view.getUint16(at + 10, true),
    isEncrypted: (view.getUint16(at + 8, true) & ENCRYPTED) !== 0,
    isThere: dataAt !== undefined && to <= startsAt,
    packed: dataAt === undefined ? bytes.subarray(0, 0) : bytes.subarray(dataAt, Math.min(to, startsAt)),
    from,
    to,
    hasSameName: dataAt === undefined || Buffer.compare(name, nameInHeader(bytes, view, from)) === 0,
  };
}

function nameInHeader(bytes: Uint8Array, view: DataView, from: number): Uint8Array {
  const at = from + LOCAL_HEADER_BYTES;
  return bytes.subarray(at, at + view.getUint16(from + 26, true));
}

/** The length of name, extra field and comment, which follow the fixed part of a directory entry. */
function lengthOfTail(view: DataView, after: number): number {
  return [18, 16, 14].reduce((length, before) => length + view.getUint16(after - before, true), 0);
}

/** Returns whether the header of a file is outside the listed entries. */
function hidesFiles(bytes: Uint8Array, inOrder: readonly LocatedEntry[], startsAt: number): boolean {
  let covered = 0;
  for (const { from, to } of [...inOrder, { from: startsAt, to: startsAt }]) {
    if (from > covered && contains(bytes.subarray(covered, from), 'PK\x03\x04')) return true;
    covered = Math.max(covered, to);
  }
  return false;
}

function contains(bytes: Uint8Array, mark: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(mark, 0, 'latin1');
}

function findEndRecord(view: DataView): number | undefined {
  const earliest = Math.max(0, view.byteLength - END_RECORD_BYTES - MAX_COMMENT_LENGTH);
  const tail = Buffer.from(view.buffer, view.byteOffset + earliest, view.byteLength - earliest);
  let at = tail.lastIndexOf(END_RECORD);
  while (at >= 0) {
    const isWhole = at + END_RECORD_BYTES <= tail.length;
    if (isWhole && view.getUint32(earliest + at + 16, true) <= earliest + at) return earliest + at;
    at = at === 0 ? -1 : tail.lastIndexOf(END_RECORD, at - 1);
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

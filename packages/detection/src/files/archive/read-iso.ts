import type { Contents, FilePart } from '../file-contents.ts';
import { type Budget, isTimeUp } from '../file-limits.ts';
import { UNREAD_REASONS } from '../unread-reasons.ts';

const SECTOR = 2048;
/** Volume descriptors begin here; real discs have a few. */
const FIRST_DESCRIPTOR = 16;
const MAX_DESCRIPTORS = 16;
const PRIMARY = 1;
const SUPPLEMENTARY = 2;
const END = 255;
const ROOT_AT = 156;
const FOLDER = 2;
const MIN_RECORD = 34;

interface Volume {
  readonly root: number;
  /** Names have two bytes for each letter (Joliet, which Windows displays). */
  readonly isWide: boolean;
}

/**
 * Reads the files of a disc image (ECMA-119) without copying them. Files of other file systems on it are not
 * found.
 */
export function readIso(bytes: Uint8Array, budget: Budget): Contents {
  const unread = new Set<string>();
  const volumes = volumesOf(bytes);
  const volume = volumes.find(({ isWide }) => isWide) ?? volumes[0];
  return {
    parts: volume ? files(bytes, volume, budget, unread) : [],
    opaque: 'it is a disc image (ISO), which may contain more files than were found',
    unread: () => [...unread][0],
  };
}

function volumesOf(bytes: Uint8Array): Volume[] {
  const volumes: Volume[] = [];
  for (let sector = FIRST_DESCRIPTOR; sector < FIRST_DESCRIPTOR + MAX_DESCRIPTORS; sector++) {
    const at = sector * SECTOR;
    const type = bytes[at];
    if (type === undefined || type === END || at + SECTOR > bytes.length) break;
    const escapes = Buffer.from(bytes.subarray(at + 88, at + 91)).toString('latin1');
    if (type === PRIMARY) volumes.push({ root: at + ROOT_AT, isWide: false });
    if (type === SUPPLEMENTARY && /^%\/[@CE]$/.test(escapes))
      volumes.push({ root: at + ROOT_AT, isWide: true });
  }
  return volumes;
}

function* files(
  bytes: Uint8Array,
  { root, isWide }: Volume,
  budget: Budget,
  unread: Set<string>,
): Generator<Omit<FilePart, 'depth'>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const seen = new Set<number>();
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const from = view.getUint32(folder + 2, true) * SECTOR;
    if (seen.has(from)) continue;
    seen.add(from);
    for (const at of records(bytes, from, view.getUint32(folder + 10, true))) {
      if (budget.entriesLeft-- <= 0 || budget.bytesLeft <= 0 || isTimeUp(budget)) {
        unread.add(UNREAD_REASONS.too_large);
        return;
      }
      const name = bytes.subarray(at + 33, at + 33 + (bytes[at + 32] ?? 0));
      const isItself = name.length === 1 && (name[0] ?? 0) < 2;
      if (isItself) continue;
      if ((bytes[at + 25] ?? 0) & FOLDER) folders.push(at);
      else {
        const start = view.getUint32(at + 2, true) * SECTOR;
        const file = bytes.subarray(start, start + view.getUint32(at + 10, true));
        // Files can be made to share their bytes.
        budget.bytesLeft -= file.length;
        yield { bytes: file, name: nameOf(name, isWide) };
      }
    }
  }
}

/**
 * Returns where the records of a folder begin: a record never crosses the end of a sector (section 6.8.1.1).
 */
function* records(bytes: Uint8Array, from: number, length: number): Generator<number> {
  const end = Math.min(from + length, bytes.length);
  for (let at = from; at + MIN_RECORD <= end; ) {
    const size = bytes[at] ?? 0;
    if (size >= MIN_RECORD && at + size <= end) yield at;
    at = size === 0 ? (Math.floor(at / SECTOR) + 1) * SECTOR : at + size;
  }
}

/** Without the version, such as `;1`. */
function nameOf(name: Uint8Array, isWide: boolean): string {
  const text = isWide ? new TextDecoder('utf-16be').decode(name) : Buffer.from(name).toString('latin1');
  return text.replace(/;\d{1,5}$/, '');
}

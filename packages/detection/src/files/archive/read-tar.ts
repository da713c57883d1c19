import type { Contents, FilePart } from '../file-contents.ts';
import { type Budget, isTimeUp } from '../file-limits.ts';
import { latin1 } from '../file-type.ts';
import { UNREAD_REASONS } from '../unread-reasons.ts';

const BLOCK = 512;
/** Links, devices and folders: no data follows their header, regardless of the size in it. */
const WITHOUT_DATA = /[1-6]/;
/** Headers that describe the next file: of POSIX.1-2001, and GNU's for long names, volumes and lists. */
const EXTENSION_HEADER = /[xgLKVNMDX]/;

/** Reads a tar archive (POSIX.1-1988 ustar) without copying: the files in it are views. */
export function readTar(bytes: Uint8Array, budget: Budget): Contents {
  const unread = new Set<string>();
  return { parts: files(bytes, budget, unread), unread: () => [...unread][0] };
}

function* files(bytes: Uint8Array, budget: Budget, unread: Set<string>): Generator<Omit<FilePart, 'depth'>> {
  let at = 0;
  while (at + BLOCK <= bytes.length && !isEmpty(bytes.subarray(at, at + BLOCK))) {
    if (budget.entriesLeft <= 0 || isTimeUp(budget)) {
      unread.add(UNREAD_REASONS.many);
      return;
    }
    budget.entriesLeft--;
    const header = latin1(bytes.subarray(at, at + BLOCK));
    const type = header[156] ?? '';
    // Octal digits that end at a zero byte or a blank.
    const size = WITHOUT_DATA.test(type) ? 0 : Number.parseInt(header.slice(124, 136), 8);
    if (!Number.isInteger(size) || size < 0) {
      unread.add(UNREAD_REASONS.damaged);
      return;
    }
    const from = at + BLOCK;
    // An entry of an unknown type is unpacked as a file.
    if (!WITHOUT_DATA.test(type) && !EXTENSION_HEADER.test(type)) {
      if (from + size > bytes.length) unread.add('a part of it is missing');
      yield { bytes: bytes.subarray(from, from + size), name: header.slice(0, 100).replace(/\0.*$/s, '') };
    }
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
  // Some readers continue after the empty block that ends the archive.
  if (!isEmpty(bytes.subarray(at))) unread.add('it contains data after its end');
}

function isEmpty(bytes: Uint8Array): boolean {
  // A loop, since `every` takes a third of a second for 16 MiB.
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== 0) return false;
  return true;
}

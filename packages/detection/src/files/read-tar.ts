import type { Contents, Part } from './contents.ts';
import { type Budget, isTimeUp } from './file-limits.ts';
import { latin1 } from './file-type.ts';

const BLOCK = 512;

/** Reads a tar archive (POSIX.1-1988 ustar). Copies nothing: the files in it are views. */
export function readTar(bytes: Uint8Array, budget: Budget): Contents {
  const unread = new Set<string>();
  return { parts: files(bytes, budget, unread), unread: () => [...unread][0] };
}

function* files(bytes: Uint8Array, budget: Budget, unread: Set<string>): Generator<Omit<Part, 'depth'>> {
  let at = 0;
  while (at + BLOCK <= bytes.length && bytes[at] !== 0) {
    if (budget.entriesLeft <= 0 || isTimeUp(budget)) {
      unread.add('it holds more files than are opened here');
      return;
    }
    budget.entriesLeft--;
    const header = latin1(bytes.subarray(at, at + BLOCK));
    // Octal digits, ended by a zero or a blank.
    const size = Number.parseInt(header.slice(124, 136), 8);
    if (!Number.isInteger(size) || size < 0) {
      unread.add('a part of it is damaged');
      return;
    }
    const from = at + BLOCK;
    // Regular files, also those stored in one piece or with holes; links, folders and the headers of longer names hold nothing to judge.
    if (['\0', '0', '7', 'S'].includes(header[156] ?? '')) {
      if (from + size > bytes.length) unread.add('a part of it is missing');
      yield { bytes: bytes.subarray(from, from + size), name: header.slice(0, 100).replace(/\0.*$/s, '') };
    }
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
}

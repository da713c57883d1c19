import type { Contents } from './contents.ts';
import type { Budget } from './file-limits.ts';
import { inflateWithin } from './inflate.ts';
import { WHY_UNREAD } from './read-zip.ts';

const HEADER_BYTES = 10;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;
const HAS_CHECKSUM = 2;

/** Reads a gzip file (RFC 1952), its first member. The name it carries is taken for that of what is in it. */
export function readGzip(bytes: Uint8Array, name: string | undefined, budget: Budget): Contents {
  const [, , , flags = 0] = bytes;
  let at = HEADER_BYTES;
  if (flags & HAS_EXTRA) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  if (flags & HAS_NAME) at = afterZero(bytes, at);
  if (flags & HAS_COMMENT) at = afterZero(bytes, at);
  if (flags & HAS_CHECKSUM) at += 2;
  const inner = inflateWithin(bytes.subarray(at), budget);
  return {
    parts: [{ bytes: inner.bytes, name: name?.replace(/\.(?:gz|gzip)$/i, '').replace(/\.tgz$/i, '.tar') }],
    unread: () => inner.stopped && WHY_UNREAD[inner.stopped],
  };
}

function afterZero(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(0, from);
  return at < 0 ? bytes.length : at + 1;
}

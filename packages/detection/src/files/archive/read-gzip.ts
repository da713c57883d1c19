import type { Contents } from '../file-contents.ts';
import type { Budget } from '../file-limits.ts';
import { UNREAD_REASONS } from '../unread-reasons.ts';
import { inflateWithin } from './inflate.ts';

/** Reads a gzip file (RFC 1952): all its members as one file, as unpackers do. */
export function readGzip(bytes: Uint8Array, name: string | undefined, budget: Budget): Contents {
  const inner = inflateWithin(bytes, budget, 'gzip');
  return {
    parts: [{ bytes: inner.bytes, name: name?.replace(/\.(?:gz|gzip)$/i, '').replace(/\.tgz$/i, '.tar') }],
    unread: () => inner.stopped && UNREAD_REASONS[inner.stopped],
  };
}

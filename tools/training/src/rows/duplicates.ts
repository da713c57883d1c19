import { hashText } from '@tps/detection/training';
import type { Row } from './row.ts';

const SCHEME = /^[a-z][a-z+.-]*:\/\//;
const DIGITS_AND_PUNCTUATION = /[\p{N}\p{P}\p{S}\s]+/gu;

/** What stays the same when only numbers, punctuation, spaces, letter case or the scheme differ. */
export function duplicateKey({ kind, content }: Pick<Row, 'kind' | 'content'>): string {
  const lower = content.toLowerCase();
  const bare = kind === 'url' ? lower.replace(SCHEME, '') : lower;
  // Nothing but digits and punctuation: it is all there is to tell it by.
  return bare.replace(DIGITS_AND_PUNCTUATION, '') || bare;
}

/** Lets each distinct row through once: the first of its kind. */
export function createDuplicateFilter(): (row: Pick<Row, 'kind' | 'content'>) => boolean {
  const seen = new Set<number>();
  return (row) => {
    const key = duplicateKey(row);
    const digest = hashText(key, 1) * 2 ** 21 + (hashText(key, 2) >>> 11);
    if (seen.has(digest)) return false;
    seen.add(digest);
    return true;
  };
}

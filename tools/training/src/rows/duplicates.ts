import { hashText } from '@tps/detection/training';
import type { Row } from './row.ts';

const SCHEME = /^[a-z][a-z+.-]*:\/\//;
const DIGITS_AND_PUNCTUATION = /[\p{N}\p{P}\p{S}\s]+/gu;

/** Returns a key that ignores numbers, punctuation, spaces, letter case and the scheme. */
export function duplicateKey({ kind, content }: Pick<Row, 'kind' | 'content'>): string {
  const lower = content.toLowerCase();
  const bare = kind === 'url' ? lower.replace(SCHEME, '') : lower;
  // Content of only digits and punctuation has no other key.
  return bare.replace(DIGITS_AND_PUNCTUATION, '') || bare;
}

/** Creates a filter that passes only the first row of each key. */
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

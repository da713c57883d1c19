import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseReviewedList } from './reviewed-list.ts';
import { selectShorteners, toShortenersSource } from './shorteners.ts';

/** A file of detection that this tool writes. */
export interface WordList {
  readonly path: string;
  readonly source: string;
}

/** Generates every list. The same sources always generate the same files. */
export function generateWordLists(): WordList[] {
  const shorteners = selectShorteners(
    read('../sources/spamassassin-4.0.1-url-shorteners.cf'),
    parseReviewedList(read('../reviewed/shorteners.txt')),
  );
  return [{ path: pathOf('lexicon/shorteners.ts'), source: toShortenersSource(shorteners) }];
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../../packages/detection/src/${file}`, import.meta.url));
}

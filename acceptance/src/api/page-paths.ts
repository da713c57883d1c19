import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SERVER = join(import.meta.dirname, '../../../packages/server/src');
const ROUTE = /\bwebRoute\(\s*'(GET|POST)',\s*(?:'([^']+)'|([A-Z][A-Z_]*))/g;

export interface PagePath {
  readonly method: 'GET' | 'POST';
  /** Below the mount point, such as `/interaction/:uid`. */
  readonly path: string;
}

/** Finds the pages of the service in its source, so that a new page is tested from its first commit on. */
export function findPagePaths(): PagePath[] {
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => pathsIn(readFileSync(join(SERVER, name), 'utf8')));
}

function pathsIn(source: string): PagePath[] {
  return [...source.matchAll(ROUTE)].map(([, method, text, constant]) => {
    const path = text ?? new RegExp(`const ${constant} = '([^']+)'`).exec(source)?.[1];
    if (path === undefined) throw new Error(`the path ${constant} of a page is not a text beside it`);
    return { method: method as PagePath['method'], path };
  });
}

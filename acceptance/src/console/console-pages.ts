import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGES = fileURLToPath(new URL('../../../packages/console/src/app/pages.ts', import.meta.url));

/** A page of the console, as `app/pages.ts` lists it. */
export interface ConsolePage {
  readonly path: string;
  readonly title: string;
  readonly scope: string;
}

/** Reads the list of pages from the source: the console itself runs only in browsers. */
export function readConsolePages(): ConsolePage[] {
  const source = readFileSync(PAGES, 'utf8');
  const entry = /path: '([^']+)',\s+title: '([^']+)',\s+scope: '([^']+)',/g;
  return [...source.matchAll(entry)].map(([, path = '', title = '', scope = '']) => ({ path, title, scope }));
}

/** Pages of one object have its id in their path. */
export function isListed({ path }: ConsolePage): boolean {
  return !path.includes('$');
}

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isForContributors } from '../../../scripts/src/release/contributor-pages.ts';
import { findLinks, findPages } from './links.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** The READMEs of folders, which describe how the product is built, not how to use a package. */
const INSIDES = findPages(ROOT, 'packages').filter(
  (page) => page.endsWith('/README.md') && isForContributors(page) && !/\/src\/.*\/testing\//.test(page),
);
const TASKS = findPages(ROOT, 'contributing');
const FILES = git('ls-files', '-co', '--exclude-standard');

const CODE = ['packages', ':!*.test.ts', ':!*.md', ':!packages/client/src/generated'];

/** The names that a recipe follows through the code, and the most files that it may touch. */
const RECIPES = [
  { page: 'add-a-column', names: 'trusts?_?[eE]mail|add-sign-on-options', within: CODE, most: 16 },
  { page: 'add-a-table', names: 'saved_views|create-saved-views', within: CODE, most: 7 },
  {
    page: 'add-a-console-page',
    names: 'data-request|DataRequest',
    within: ['packages/console/src', 'acceptance/src/console'],
    most: 8,
  },
];

test('ARCHITECTURE.md has at most 2,000 words, and links the README of each folder', () => {
  const page = read('ARCHITECTURE.md');
  expect(countWords(page)).toBeLessThanOrEqual(2_000);
  expect(INSIDES.length).toBeGreaterThan(12);
  expect(INSIDES.filter((inside) => !findLinks(page).includes(inside))).toEqual([]);
});

test('CONTRIBUTING.md has at most 500 words, and links each page of its folder', () => {
  const page = read('CONTRIBUTING.md');
  expect(countWords(page)).toBeLessThanOrEqual(500);
  expect(TASKS.length).toBeGreaterThan(7);
  expect(TASKS.filter((task) => !findLinks(page).includes(task))).toEqual([]);
});

test.each(RECIPES)(
  'the page $page lists each file that its example touches',
  ({ page, names, within, most }) => {
    const listed = [...read(`contributing/${page}.md`).matchAll(/^- `([^`]+)`/gm)].map(([, file]) => file);
    expect(listed.toSorted()).toEqual(git('grep', '-lE', '--untracked', names, '--', ...within).toSorted());
    expect(listed.length).toBeLessThanOrEqual(most);
  },
);

test('every path exists that the pages for contributors name', () => {
  const pages = ['docs/security-model.md', ...findPages(ROOT).filter(isForContributors)];
  const named = pages.flatMap((page) => pathsIn(read(page)).map((path) => ({ page, path })));
  expect(named.length).toBeGreaterThan(300);
  const missing = named.filter(({ path }) => !FILES.some((file) => `/${file}/`.includes(`/${path}`)));
  expect(missing).toEqual([]);
});

/** The paths in code marks, and the names that begin the lines of trees. */
function pathsIn(page: string): string[] {
  const prose = page.replaceAll(/^(`{3,})[\s\S]*?^\1/gm, '');
  const inProse = prose.matchAll(/`((?:[\w.@-]+\/)+[\w.-]*|[\w.-]+\.(?:ts|md|mjs|json))`/g);
  const inTrees = page.matchAll(/^ *((?:[\w-]+\/)+|[\w-]+\.tsx?) {2,}\S/gm);
  const paths = [...inProse, ...inTrees].map(([, path = '']) => path);
  return paths.filter((path) => !path.includes('@') && !path.startsWith('./'));
}

/** Returns the lines that a command of Git prints. */
function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trimEnd().split('\n');
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

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
const PATHS = listPaths();

test('ARCHITECTURE.md has at most 2,000 words, and links the README of each folder', () => {
  const page = read('ARCHITECTURE.md');
  expect(countWords(page)).toBeLessThanOrEqual(2_000);
  expect(INSIDES.length).toBeGreaterThan(12);
  expect(INSIDES.filter((inside) => !findLinks(page).includes(inside))).toEqual([]);
});

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/security-model.md', ...INSIDES])(
  'every path that %s names exists',
  (page) => {
    const prose = read(page).replaceAll(/^(`{3,})[\s\S]*?^\1/gm, '');
    const inProse = [...prose.matchAll(/`((?:[\w.@-]+\/)+[\w.-]*|[\w.-]+\.(?:ts|md|mjs|json))`/g)];
    // The lines of a tree begin with the name of a folder or file.
    const inTrees = [...read(page).matchAll(/^ *((?:[\w-]+\/)+|[\w-]+\.tsx?) {2,}\S/gm)];
    const named = [...inProse, ...inTrees].map(([, name = '']) => name).filter((name) => !name.includes('@'));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !PATHS.some((path) => path.includes(`/${name}`)))).toEqual([]);
  },
);

/** The paths of all files, each between slashes, so that a name is found as a whole. */
function listPaths(): string[] {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return files.split('\n').map((file) => `/${file}/`);
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configTable } from '@tps/server/platform/config/config-options';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function findPages(): string[] {
  const inRoot = readdirSync(ROOT).map((name) => join(ROOT, name));
  const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return [...inRoot, ...inDocs.map((name) => join(ROOT, 'docs', name))].filter((path) =>
    path.endsWith('.md'),
  );
}

/** Gives the text without what is in code, where a bracket is no link. */
function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

function findLinks(markdown: string): string[] {
  const text = withoutCode(markdown);
  const inline = [...text.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)];
  const references = [...text.matchAll(/^\[[^\]]+\]: *<?(\S+?)>?$/gm)];
  return [...inline, ...references].map(([, target = '']) => target);
}

/** Names of the headings as GitHub makes anchors of them. */
function findAnchors(markdown: string): Set<string> {
  const headings = markdown.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '').matchAll(/^#{1,6} +(.+?) *$/gm);
  return new Set(
    [...headings].map(([, title = '']) =>
      title
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Says why a link leads nowhere; undefined when it does not, or leads out of the repository. */
function whyBroken(page: string, link: string): string | undefined {
  if (/^(https?|mailto):/.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : resolve(dirname(page), decodeURIComponent(path));
  if (relative(ROOT, target).startsWith('..')) return 'is outside the repository';
  if (!existsSync(target)) return 'does not exist';
  if (anchor === undefined || !target.endsWith('.md')) return undefined;
  return findAnchors(readFileSync(target, 'utf8')).has(anchor) ? undefined : 'has no such heading';
}

test('every link from one of our pages to a file of the repository resolves', () => {
  const pages = findPages();
  expect(pages.map((page) => relative(ROOT, page))).toEqual(
    expect.arrayContaining(['README.md', 'docs/signing-requests.md', 'docs/glossary.md']),
  );
  const links = pages.flatMap((page) =>
    findLinks(readFileSync(page, 'utf8')).map((link) => ({
      page: relative(ROOT, page),
      link,
      why: whyBroken(page, link),
    })),
  );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter(({ why }) => why !== undefined)).toEqual([]);
});

test('the table of variables in the README is the one that the service prints', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| *`?(SERVICE_\w+)`? *\| *`?(.*?)`? *\| *(.*?) *\|$/gm)];
  const table = rows.map(([, name = '', whenUnset = '', description = '']) => ({
    name,
    default: whenUnset,
    description: description.replaceAll('`', ''),
  }));
  expect(table).toEqual(configTable());
});

test('the figures of detection are those of the model that is shipped', () => {
  const readRoot = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const card = readRoot('packages/detection/models/MODEL-CARD.md');
  const page = readRoot('docs/detection.md');
  const figures = card.slice(card.indexOf('## Figures'), card.indexOf('## Limits'));
  // The page is formatted, the card is not.
  const cellsOf = (markdown: string) =>
    [...markdown.matchAll(/^\|(.+)\|$/gm)]
      .map(([, row = '']) => row.split('|').map((cell) => cell.trim()))
      .filter((row) => !row.every((cell) => /^:?-*:?$/.test(cell)));
  const rows = cellsOf(figures);
  expect(rows.length).toBeGreaterThan(60);
  expect(cellsOf(page.slice(page.indexOf('### All figures of the shipped model')))).toEqual(
    expect.arrayContaining(rows),
  );
});

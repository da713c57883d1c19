import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ERROR_STATUS, operations, ROLE_SCOPES, ROLES, SCOPE_MEANINGS } from '@tps/contract';
import { configTable } from '@tps/server/command-line';
import { expect, test } from 'vitest';
import { findBrokenLinks, findLinks, findPages } from './links.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

test('docs/install.md and @tps/agent name the version of package.json', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const page = readFileSync(join(ROOT, 'docs/install.md'), 'utf8');
  const present = page.replace(/^## Upgrade$[\s\S]*?^## /m, '');
  const named = [...present.matchAll(/tps\b\S*[-:=](\d+\.\d+\.\d+)/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set([version]));
  const agent = readFileSync(join(ROOT, 'packages/agent/src/local-agent.ts'), 'utf8');
  expect(agent).toContain(`AGENT_VERSION = '${version}'`);
});

test('every link from a page to a file of the repository works', () => {
  const pages = findPages(ROOT);
  expect(pages).toEqual(
    expect.arrayContaining(['README.md', 'docs/signing-requests.md', 'packages/client/README.md']),
  );
  const links = pages.flatMap((page) => findLinks(readFileSync(join(ROOT, page), 'utf8')));
  expect(links.length).toBeGreaterThan(10);
  expect(findBrokenLinks(ROOT, pages)).toEqual([]);
});

test('docs/README.md lists each page of its folder once', () => {
  const pages = readdirSync(join(ROOT, 'docs')).filter(
    (file) => file.endsWith('.md') && file !== 'README.md',
  );
  const links = findLinks(readFileSync(join(ROOT, 'docs/README.md'), 'utf8'));
  const listed = links.filter((link) => /^[\w-]+\.md$/.test(link));
  expect(listed.toSorted()).toEqual(pages.toSorted());
});

test('the tables of docs/configuration.md list every setting as the code describes it', () => {
  const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
  const rows = [...page.matchAll(/^\| *`?((?:SERVICE|OTEL)_\w+)`? *\| *`?(.*?)`? *\| *(.*?) *\|$/gm)];
  const table = rows.map(([, name = '', whenUnset = '', description = '']) => ({
    name,
    default: whenUnset,
    description: description.replaceAll('`', ''),
  }));
  expect(table).toEqual(configTable());
});

test('the table of docs/accounts.md has the scopes of each role', () => {
  const page = readFileSync(join(ROOT, 'docs/accounts.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+:\w+)` +\|(.*)\|$/gm)].map(([, scope, cells = '']) => [
    scope,
    ...cells.split('|').map((cell) => cell.trim()),
  ]);
  const expected = Object.entries(SCOPE_MEANINGS).map(([scope, meaning]) => [
    scope,
    ...ROLES.map((role) => (ROLE_SCOPES[role].some((held) => held === scope) ? 'yes' : '')),
    meaning,
  ]);
  expect(rows).toEqual(expected);
});

test('the list of decisions has each page, and each page its status and date', () => {
  const folder = join(ROOT, 'docs/decisions');
  const files = readdirSync(folder).filter((file) => /^\d{4}-.*\.md$/.test(file));
  const pages = files
    .sort()
    .map((file) => ({ file, lines: readFileSync(join(folder, file), 'utf8').split('\n') }));
  const list = readFileSync(join(folder, 'README.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  expect(list).toEqual(pages.map(({ file, lines }) => `- [${lines[0]?.slice(2)}](${file})`));
  for (const { file, lines } of pages) {
    const head = lines.slice(1, 5).join(' ');
    expect(head, file).toMatch(/\*\*Status:\*\* (?:accepted|superseded).* \*\*Date:\*\* \d{4}-\d\d-\d\d\./);
  }
});

test('the report in docs/triage.md is a part of the one that the triage writes', () => {
  const report = readFileSync(
    join(ROOT, 'packages/server/src/features/triage/testing/realistic-report.txt'),
    'utf8',
  );
  const [, example = ''] =
    /^```markdown\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, 'docs/triage.md'), 'utf8')) ?? [];
  // The page is formatted: its tables are padded.
  const toLines = (text: string) =>
    text
      .split('\n')
      .map((line) => (/^\|[-| ]+\|$/.test(line) ? '|---|' : line.replaceAll(/ +/g, ' ').trim()))
      .filter((line) => line !== '' && line !== '…');
  expect(toLines(example).length).toBeGreaterThan(20);
  expect(toLines(report)).toEqual(expect.arrayContaining(toLines(example)));
});

test('contract-decisions.md names every operation with an Idempotency-Key, and real errors', () => {
  const page = readFileSync(join(ROOT, 'docs/contract-decisions.md'), 'utf8');
  const [, named = ''] = /^- \*\*`Idempotency-Key`\*\* on ([^:]*): /m.exec(page) ?? [];
  const repeatable = operations.filter(({ headers }) => headers?.includes('Idempotency-Key'));
  expect(named.match(/\/[\w/-]+/g)?.sort()).toEqual(repeatable.map(({ path }) => path).sort());
  const codes = [...page.matchAll(/\b(4\d\d) `(\w+)`/g)].map(([, status, code]) => `${status} ${code}`);
  const known = Object.entries(ERROR_STATUS).map(([code, status]) => `${status} ${code}`);
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !known.includes(code))).toEqual([]);
});

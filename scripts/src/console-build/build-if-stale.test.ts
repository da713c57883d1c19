import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { expect, test } from 'vitest';
import { buildConsoleIfStale } from './build-if-stale.ts';

const BUILD =
  'mkdir -p packages/console/dist && echo built > packages/console/dist/index.html && echo x >> builds';
const SOURCE = 'packages/console/src/app/page.tsx';

test('the console is built when it is missing, and again after a change of its sources', async () => {
  const root = newFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('package.json', JSON.stringify({ scripts: { 'build:console': BUILD } }));
  write(SOURCE, 'export {};');
  expect(await buildConsoleIfStale(root)).toBe(true);
  expect(await buildConsoleIfStale(root)).toBe(false);
  const later = new Date(Date.now() + 60_000);
  write('packages/console/src/app/page.test.ts', 'export {};');
  utimesSync(join(root, 'packages/console/src/app/page.test.ts'), later, later);
  expect(await buildConsoleIfStale(root)).toBe(false);
  utimesSync(join(root, SOURCE), later, later);
  expect(await buildConsoleIfStale(root)).toBe(true);
  expect(readFileSync(join(root, 'builds'), 'utf8')).toBe('x\nx\n');
});

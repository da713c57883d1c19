import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

test.each([
  ['an existing folder', ['--out', import.meta.dirname], ' exists. Name a new directory.\n'],
  [
    'a word as the version',
    ['--out', join(import.meta.dirname, 'out'), '--version', 'next'],
    'next is not a version such as',
  ],
])('the build refuses %s with one sentence', (_, args, message) => {
  const node = join(ROOT, 'node_modules/.bin/node');
  const program = join(ROOT, 'scripts/src/release/main.ts');
  const { status, stderr } = spawnSync(node, ['--conditions=source', program, ...args], { encoding: 'utf8' });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('\n    at ');
  expect(status).toBe(2);
});

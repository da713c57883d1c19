import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkMessage } from './check-message.ts';

test.each([
  'Verify the signature before parsing the body',
  'feat(tokens): roll a token without an outage',
  'Pass the worker URL in',
  'Process events in order',
  'Merge branch main',
  'Revert "the old subject."',
  `Add ${'x'.repeat(68)}`,
  'Add a rule\n\nThe reason.\n# Please enter the commit message',
])('%j is accepted', (message) => {
  expect(checkMessage(message)).toEqual([]);
});

test.each([
  [`Add ${'x'.repeat(69)}`, 'has 73 characters'],
  ['Add a rule.', 'full stop'],
  ['Added a rule', '"Added" is not an imperative'],
  ['Adding a rule', '"Adding" is not an imperative'],
  ['Adds a rule', '"Adds" is not an imperative'],
  ['The rule is added', '"The" is not an imperative'],
  ['refactor(detection): the clauses depend on no reader', '"the" is not an imperative'],
  ['0.2.0 released', 'is not an imperative'],
  ['wip', 'is one word'],
  ['Add a rule\nbecause', 'the second line is not empty'],
  ['# only remarks', 'the subject is empty'],
])('%j is refused', (message, problem) => {
  expect(checkMessage(message)).toEqual([expect.stringContaining(problem)]);
});

const main = fileURLToPath(new URL('main.ts', import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tps-commits-'));
  commit('init', '-q');
  for (const subject of ['base', 'Add a rule', 'A rule']) {
    commit('commit', '-q', '--allow-empty', '-m', subject);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

function commit(...args: string[]): void {
  const identity = [
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.com',
    '-c',
    'core.hooksPath=/dev/null',
  ];
  execFileSync('git', [...identity, ...args], { cwd: folder });
}

function runCheck(...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: 'utf8' });
  return { status, stderr };
}

test('the commits since a base are checked, and no others', () => {
  const { status, stderr } = runCheck('--since', 'HEAD~2');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^[0-9a-f]{7,}: "A" is not an imperative[^\n]*\n$/);
  expect(runCheck('--since', 'HEAD').status).toBe(0);
});

test('the message that git passes to the hook is checked', () => {
  writeFileSync(join(folder, 'message'), 'Adds a rule\n');
  expect(runCheck('--file', 'message')).toMatchObject({ status: 1, stderr: expect.stringContaining('Adds') });
});

test('a call without a base or a file fails', () => {
  expect(runCheck('--since').status).toBe(1);
});

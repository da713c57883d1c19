import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@tps/testing/process';
import { afterAll, expect, test } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'tps-commands-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

let files = 0;

/** Runs a command on a store that does not exist. */
async function runOnNothing(...args: string[]): Promise<{ path: string; code: number; output: string }> {
  files += 1;
  const path = join(directory, `${files}`, 'service.db');
  return { path, ...(await runCommand(args, { SERVICE_DATABASE_URL: `sqlite:${path}` })) };
}

test.each([
  [['retention', 'run']],
  [['retention', 'run', '--dry-run']],
  [['retention', 'show']],
  [['retention', 'set', 'tnt_x', 'events', '5']],
  [['tenants', 'list']],
  [['tenants', 'set-limit', 'tnt_x', '5']],
  [['tenants', 'set-triage', 'tnt_x', '5']],
  [['tenants', 'delete', 'tnt_x', '--confirm', 'tnt_x']],
  [['tenants', 'restore', 'tnt_x']],
  [['secrets', 'rewrap']],
])('without a store %j reports it, and creates none', async (args) => {
  const { path, code, output } = await runOnNothing(...args);
  expect(code).toBe(1);
  expect(output).toBe(`There is no store at ${path}. Set SERVICE_DATABASE_URL to its location.\n`);
  expect(existsSync(join(path, '..'))).toBe(false);
});

test.each([[['tenants', 'create', 'Example']], [['tokens', 'create', '--operator', '--name', 'x']]])(
  'without a store %j creates one',
  async (args) => {
    const { path, code, output } = await runOnNothing(...args);
    expect(code).toBe(0);
    expect(output).toMatch(/^(tnt|tok)_/);
    expect(existsSync(path)).toBe(true);
  },
);

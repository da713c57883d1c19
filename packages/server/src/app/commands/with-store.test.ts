import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildCommandLine } from '../command-line.ts';

const directory = mkdtempSync(join(tmpdir(), 'tps-commands-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

let files = 0;

/** Runs a command on a store that is not there. */
async function runOnNothing(...args: string[]): Promise<{ path: string; printed: string[] }> {
  files += 1;
  const path = join(directory, `${files}`, 'service.db');
  const printed: string[] = [];
  const program = buildCommandLine({
    env: { SERVICE_DATABASE_URL: `sqlite:${path}` },
    print: (text) => printed.push(text),
    serve: async () => undefined,
  });
  await program.parseAsync(args, { from: 'user' }).catch((error: Error) => printed.push(error.message));
  return { path, printed };
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
])('where there is no store %j says so, and makes none', async (args) => {
  const { path, printed } = await runOnNothing(...args);
  expect(printed).toEqual([`There is no store at ${path}. SERVICE_DATABASE_URL says where it is.`]);
  expect(existsSync(join(path, '..'))).toBe(false);
});

test.each([[['tenants', 'create', 'Example']], [['tokens', 'create', '--operator', '--name', 'x']]])(
  'where there is no store %j makes one',
  async (args) => {
    const { path, printed } = await runOnNothing(...args);
    expect(printed).toEqual([expect.stringMatching(/^(tnt|tok)_/)]);
    expect(existsSync(path)).toBe(true);
  },
);

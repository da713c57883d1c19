import { execFile } from 'node:child_process';
import { openDatabase } from '@tps/server/store';
import { newFolder } from '@tps/testing/fixture';
import { FROM_SOURCE, runCommand, SERVICE_MAIN } from '@tps/testing/process';
import { useTestService } from '@tps/testing/service';
import { createTestStore } from '@tps/testing/store';
import { TPS } from '@tps/testing/tps';
import { expect, onTestFinished, test } from 'vitest';

const service = useTestService();

interface Run {
  readonly code: number;
  readonly stderr: string;
}

/** Runs a program whose reader has gone before it writes anything. */
function runIntoClosedPipe(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Run> {
  const words = [process.execPath, ...FROM_SOURCE, program, ...args].map((word) => `'${word}'`).join(' ');
  const cwd = newFolder();
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-c', `{ ${words}; echo "code $?" >&2; } | true`],
      { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...env } },
      (_error, _stdout, output) => {
        const [stderr = '', code] = output.split(/code (\d+)\n$/);
        resolve({ code: Number(code), stderr });
      },
    );
  });
}

async function newStore() {
  const store = await createTestStore();
  onTestFinished(store.drop);
  return { url: store.url, env: { SERVICE_DATABASE_URL: store.url } };
}

async function countTokens(url: string): Promise<number> {
  const database = await openDatabase(url, { exclusive: false });
  const rows = await database.read.db.selectFrom('tokens').select('token_id').execute();
  await database.close();
  return rows.length;
}

test.each([
  [['--help']],
  [['--version']],
  [['tokens', 'create', '--help']],
  [['tenants', 'list']],
  [['check']],
])('a command of the service ends quietly when its output is closed: %j', async (args) => {
  const { env } = await newStore();
  expect(await runIntoClosedPipe(SERVICE_MAIN, args, env)).toEqual({ code: 0, stderr: '' });
});

test('output that cannot be written for another reason is reported', async () => {
  const command = [process.execPath, ...FROM_SOURCE, SERVICE_MAIN, '--help'].join(' ');
  const { error, stderr } = await new Promise<{ error: unknown; stderr: string }>((resolve) => {
    execFile('bash', ['-c', `${command} > /dev/full`], (error, _stdout, stderr) =>
      resolve({ error, stderr }),
    );
  });
  expect(error).toMatchObject({ code: 1 });
  expect(stderr).toMatch(/^The output is incomplete: ENOSPC/);
});

test.each([
  ['the service', SERVICE_MAIN, []],
  ['tps', TPS, ['--store']],
])('a credential that %s cannot show is not created', async (_title, program, options) => {
  const { url, env } = await newStore();
  const { printed: tenant } = await runCommand(['tenants', 'create', 'Example'], env);
  const args = ['tokens', 'create', '--tenant', tenant.trim(), '--name', 'lost', ...options];
  const { code, stderr } = await runIntoClosedPipe(program, args, env);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'The credential was not created: the standard output is closed.\n',
  });
  expect(await countTokens(url)).toBe(0);
});

test.each([
  ['tokens', 'credential', ['--scopes', 'events:read']],
  ['enrolments', 'secret', []],
])('what tps creates but cannot show is revoked: %s', async (noun, what, options) => {
  const { credential } = await service.createTenant();
  const env = { TPS_URL: service.baseUrl, TPS_CREDENTIAL: credential };
  const args = [noun, 'create', '--name', 'lost', ...options];
  const { code, stderr } = await runIntoClosedPipe(TPS, args, env);
  expect(stderr).toMatch(
    new RegExp(`^tps: The ${what} could not be shown and is revoked: \\w+\\. \\(closed_output\\)\\n$`),
  );
  expect(code).toBe(1);
  const { body } = await service.client.send('GET', `/${noun}`, { credential });
  const { data } = body as { data: { name: string; status: string }[] };
  expect(data.filter(({ name }) => name === 'lost')).toMatchObject([{ status: 'revoked' }]);
});

test('tps names what to do about a secret that it cannot show', async () => {
  const { credential } = await service.createTenant();
  const env = { TPS_URL: service.baseUrl, TPS_CREDENTIAL: credential };
  const scopes = ['tokens:write'];
  const body = { name: 'old', scopes };
  const made = await service.client.send('POST', '/tokens', { credential, body });
  const { token_id: tokenId } = made.body as { token_id: string };
  const rolled = await runIntoClosedPipe(TPS, ['tokens', 'roll', tokenId], env);
  expect(rolled.stderr).toMatch(/could not be shown\. Run: tps tokens roll tok_\w+ \(closed_output\)\n$/);
  expect(rolled.code).toBe(1);
});

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { VARIABLE_NAMES } from '@tps/server/command-line';
import { newFolder } from '@tps/testing/fixture';
import { SERVICE_MAIN, spawnProgram, spawnService } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { TPS } from '@tps/testing/tps';
import { expect, onTestFinished, test } from 'vitest';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';

async function newStore(): Promise<Record<string, string>> {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  return { SERVICE_DATABASE_URL: store.url };
}

test.runIf(IS_SQLITE)(
  'all configuration errors are printed together, without secrets, with exit code 1',
  async () => {
    const key = randomBytes(31).toString('base64');
    const { code, output } = await spawnProgram({
      env: {
        SERVICE_BIND: '0.0.0.0:8080',
        SERVICE_SECRET_KEY_B64: key,
        SERVICE_DATABASE_URL: 'mysql://root:hunter2@db/x',
        SERVICE_RATE_LIMIT_PER_MINUT: '5',
        SERVICE_LOG_LEVEL: 'loud',
        SERVICE_BODY_LIMIT_BYTES: '1e6',
      },
    }).ended;
    expect(code).toBe(1);
    const { level, msg, reason, problems } = JSON.parse(output) as {
      level: string;
      msg: string;
      reason: string;
      problems: string[];
    };
    expect({ level, msg }).toEqual({ level: 'fatal', msg: 'service failed' });
    for (const problem of problems) expect(reason).toContain(problem);
    const named = problems.map((line) => /SERVICE_\w+/.exec(line)?.[0]).sort();
    expect(named).toEqual([
      'SERVICE_BIND',
      'SERVICE_BODY_LIMIT_BYTES',
      'SERVICE_DATABASE_URL',
      'SERVICE_LOG_LEVEL',
      'SERVICE_RATE_LIMIT_PER_MINUT',
      'SERVICE_SECRET_KEY_B64',
    ]);
    const [bind = ''] = problems.filter((line) => line.includes('SERVICE_BIND is'));
    expect(bind).toContain('SERVICE_TLS_CERT_FILE');
    expect(bind).toContain('SERVICE_ALLOW_PLAINTEXT=true');
    expect(output).toContain('did you mean SERVICE_RATE_LIMIT_PER_MINUTE?');
    expect(output).not.toContain(key);
    expect(output).not.toContain('hunter2');
    expect(output).not.toMatch(/^ +at /m);
  },
);

test.runIf(IS_SQLITE).each([31, 33])('a master key of %d bytes is refused', async (bytes) => {
  const env = { SERVICE_SECRET_KEY_B64: randomBytes(bytes).toString('base64'), SERVICE_BIND: '127.0.0.1:0' };
  const { code, output } = await spawnProgram({ env, cwd: newFolder() }).ended;
  expect(code).toBe(1);
  expect(output).toContain('SERVICE_SECRET_KEY_B64 is not shown; expected 32 bytes');
});

test.runIf(IS_SQLITE)(
  'a master key of 32 bytes, and plain HTTP for all where allowed, are accepted',
  async () => {
    const env = {
      ...(await newStore()),
      SERVICE_SECRET_KEY_B64: randomBytes(32).toString('base64'),
      SERVICE_BIND: '0.0.0.0:0',
      SERVICE_ALLOW_PLAINTEXT: 'true',
    };
    const service = await spawnService({ env });
    expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200);
  },
);

test.runIf(IS_SQLITE)('--help prints every variable and every command, and exits with 0', async () => {
  const { code, output } = await spawnProgram({ args: ['--help'] }).ended;
  expect(code).toBe(0);
  for (const name of VARIABLE_NAMES) expect(output).toContain(`  ${name} (`);
  for (const command of ['serve', 'tenants', 'tokens'])
    expect(output).toMatch(new RegExp(`^ {2}${command} `, 'm'));
});

test.runIf(IS_SQLITE)('the default store is ./data/service.db, readable by its owner only', async () => {
  const cwd = newFolder();
  await spawnService({ cwd });
  const modeOf = (path: string) => (statSync(join(cwd, path)).mode & 0o777).toString(8);
  expect(modeOf('data')).toBe('700');
  expect(modeOf('data/service.db')).toBe('600');
});

test.runIf(IS_SQLITE)(
  'a second process on the same SQLite file is refused, and the first keeps running',
  async () => {
    const env = await newStore();
    const first = await spawnService({ env });
    const { code, output } = await spawnProgram({
      env: { ...env, SERVICE_BIND: '127.0.0.1:0', SERVICE_METRICS_BIND: 'off' },
    }).ended;
    expect(code).toBe(1);
    expect(output).toContain(`is in use by a running service (process ${first.pid}). Stop it first.`);
    expect(output).not.toMatch(/^ +at /m);
    expect((await fetch(`${first.baseUrl}/readyz`)).status).toBe(200);
  },
);

test.runIf(!IS_SQLITE)('the password of PostgreSQL can be in a file that PGPASSFILE names', async () => {
  const { SERVICE_DATABASE_URL = '' } = await newStore();
  const url = new URL(SERVICE_DATABASE_URL);
  const { hostname, port, pathname, username, password } = url;
  const PGPASSFILE = join(newFolder(), 'pgpass');
  const line = `${hostname}:${port}:${pathname.slice(1)}:${username}:${decodeURIComponent(password)}\n`;
  writeFileSync(PGPASSFILE, line, { mode: 0o600 });
  url.password = '';
  const service = await spawnService({ env: { SERVICE_DATABASE_URL: url.href, PGPASSFILE } });
  expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200);
  expect((await service.stop()).code).toBe(0);
});

test.runIf(!IS_SQLITE)('an unreachable PostgreSQL ends the start with 1 and a clear message', async () => {
  const { code, output } = await spawnProgram({
    env: {
      SERVICE_DATABASE_URL: 'postgres://tps:hunter2@127.0.0.1:1/tps',
      SERVICE_BIND: '127.0.0.1:0',
      SERVICE_METRICS_BIND: 'off',
    },
  }).ended;
  expect(code).toBe(1);
  expect(output).toContain('The store is not reachable');
  expect(output).toContain('connect ECONNREFUSED 127.0.0.1:1');
  expect(output).not.toContain('hunter2');
  expect(output).not.toMatch(/^ +at /m);
});

test.runIf(IS_SQLITE)(
  'compiled code is kept beside the packages, where only its owner may write',
  async () => {
    const env = { NODE_COMPILE_CACHE: '', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
    const { code, output } = await spawnProgram({ args: ['--version'], env }).ended;
    expect(code).toBe(0);
    expect(output).toMatch(
      /reading cache from \S+\/node_modules\/\.cache\/tps\/\S+ for \S+ \S+\/app\/command-line\.ts/,
    );
  },
);

test.runIf(IS_SQLITE)('the service starts where compiled code cannot be kept', async () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  const service = await spawnService({
    env: { ...(await newStore()), NODE_COMPILE_CACHE: join(file, 'cache') },
  });
  expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200);
});

test.runIf(IS_SQLITE)('npm start and tps set the same memory limit for short-lived objects', () => {
  const root = join(import.meta.dirname, '../../..');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const [firstLine] = readFileSync(TPS, 'utf8').split('\n');
  const optionOf = (text = '') => /--max-semi-space-size=\d+/.exec(text)?.[0];
  expect(optionOf(firstLine)).toBeDefined();
  expect(optionOf(scripts.start)).toBe(optionOf(firstLine));
});

/** Faults of Node.js in a running service, caused by signals. */
const FAULTS = `data:text/javascript,${encodeURIComponent(`
  process.on('SIGWINCH', () => process.emitWarning('an old call', 'DeprecationWarning', 'DEP9999'));
  process.on('SIGCONT', () => { throw new Error('out of luck'); });
  process.on('SIGUSR2', () => void Promise.reject(new Error('out of luck')));
`)}`;

test.runIf(IS_SQLITE).each([
  ['SIGCONT', 'uncaughtException'],
  ['SIGUSR2', 'unhandledRejection'],
] as const)('all output of a service is JSON, until a fault ends it (%s)', async (signal, origin) => {
  const service = await spawnService({ env: { NODE_OPTIONS: `--import=${FAULTS}` } });
  const lines = () =>
    service
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines().filter(({ msg }) => String(msg).startsWith('schema'))).toMatchObject([
    { level: 'info', msg: 'schema created', migrations: expect.any(Number) },
  ]);
  service.signal('SIGWINCH');
  await waitUntil(() => service.output().includes('an old call'));
  expect(lines().at(-1)).toMatchObject({ level: 'warn', err: { message: 'an old call', code: 'DEP9999' } });
  service.signal(signal);
  expect((await service.ended).code).toBe(1);
  expect(lines().at(-1)).toMatchObject({ level: 'fatal', origin, err: { message: 'out of luck' } });
});

test.runIf(IS_SQLITE).each([
  ['a wrong setting', { SERVICE_BIND: 'nowhere' }],
  ['a store that cannot be opened', { SERVICE_DATABASE_URL: 'sqlite:/dev/null/x.db' }],
])('a start that fails with %s writes one line of JSON', async (_, env) => {
  for (const program of [SERVICE_MAIN, TPS]) expect(await failedStart(program, env)).toHaveLength(1);
});

test.runIf(IS_SQLITE)('a start that fails with settings that cannot be read writes JSON', async () => {
  const cwd = newFolder();
  mkdirSync(join(cwd, 'tps.env'));
  expect(await failedStart(TPS, {}, cwd)).toMatchObject([{ error: { code: 'env_file' } }]);
});

/** Runs `serve`, which must fail, and returns its output. @throws SyntaxError if that is not JSON */
async function failedStart(
  program: string,
  env: Record<string, string>,
  cwd = newFolder(),
): Promise<unknown[]> {
  const all = { HOME: cwd, SERVICE_METRICS_BIND: 'off', ...env };
  const { code, output } = await spawnProgram({ program, args: ['serve'], cwd, env: all }).ended;
  expect(code).not.toBe(0);
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

test.runIf(IS_SQLITE)('a settings file that does not exist is reported by tps, not by Node.js', async () => {
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
  // As people start it: Node.js reads an --env-file anywhere in its arguments, unless they follow a "--".
  const { status, stderr } = spawnSync(TPS, ['serve', '--env-file', '/nope.env'], {
    encoding: 'utf8',
    env: { PATH: path },
  });
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'env_file',
      message: 'Cannot read the settings in /nope.env: no such file.',
      exit_code: 2,
    },
  });
  expect(status).toBe(2);
});

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openWriter, toSqlitePath } from '@tps/server/store';
import { FormBrowser } from '@tps/testing/browser';
import { newFolder } from '@tps/testing/fixture';
import { findFreePort } from '@tps/testing/network';
import {
  FROM_SOURCE,
  findCredentialsFile,
  parseCredentials,
  runCommand,
  SERVICE_MAIN,
  spawnProgram,
  spawnService,
} from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';
/** For what happens before or beside the store: starts are slow, and one store is enough. */
const onceTest = test.runIf(IS_SQLITE);
const CREDENTIAL = /svc_(live|test)_[A-Za-z0-9]+/g;
const BIN = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url));
const SERVER = new URL('../../../packages/server/src/', import.meta.url);
const ANY_PORT = { SERVICE_BIND: '127.0.0.1:0', SERVICE_METRICS_BIND: 'off' };

async function newStore(from: 'migrated' | 'empty' = 'empty'): Promise<Record<string, string>> {
  const store = await createTestStore(from);
  onTestFinished(store.drop);
  return { SERVICE_DATABASE_URL: store.url };
}

/** The directory of the file, which the documentation states. */
function credentialsDirectory({ SERVICE_DATABASE_URL = '' }: Record<string, string>, cwd: string): string {
  return IS_SQLITE ? dirname(SERVICE_DATABASE_URL.slice('sqlite:'.length)) : join(cwd, 'data');
}

function listFiles(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.startsWith('first-credentials'))
    .map((name) => join(directory, name));
}

async function countTenants(env: Record<string, string>): Promise<number> {
  const { printed } = await runCommand(['tenants', 'list', '--json'], env);
  return (JSON.parse(printed) as unknown[]).length;
}

async function expectWorking(text: string, tenantId: string): Promise<void> {
  const commands = text.match(/^ +curl .*$/gm) ?? [];
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    const { stdout } = await promisify(execFile)('bash', ['-c', command]);
    expect(JSON.parse(stdout)).toMatchObject({ tenant_id: tenantId, status: 'unprotected' });
  }
}

function adminLinkOf(text: string): string {
  return /^ {2}(http\S+\/auth\/invitation\?token=\S+)$/m.exec(text)?.[1] ?? '';
}

/** Becomes the first admin by the link, which then works no more. */
async function expectAdmin(link: string, { admin }: { admin: string }): Promise<void> {
  const { origin } = new URL(link);
  const browser = new FormBrowser(origin);
  const person = { name: 'Ada', email: 'ada@example.com', password: 'a long enough password' };
  await browser.submit(await browser.open(link), person);
  const answer = await fetch(`${origin}/members`, { headers: { authorization: `Bearer ${admin}` } });
  expect(await answer.json()).toMatchObject({ data: [{ email: 'ada@example.com', role: 'admin' }] });
  expect((await new FormBrowser(origin).open(link)).status).toBe(404);
}

test('without a terminal, the first credentials are in a private file that the log names', async () => {
  const env = await newStore();
  const cwd = newFolder();
  const first = await spawnService({ env, cwd });
  expect(first.output()).not.toMatch(CREDENTIAL);
  const [file = '', ...others] = listFiles(credentialsDirectory(env, cwd));
  expect(others).toEqual([]);
  expect(findCredentialsFile(first.output())).toBe(file);
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  const text = readFileSync(file, 'utf8');
  const { tenantId, operator, admin } = parseCredentials(text);
  expect(new Set(text.match(CREDENTIAL))).toEqual(new Set([operator, admin]));
  await expectWorking(text, tenantId);
  const link = adminLinkOf(text);
  await expectAdmin(link, { admin });
  expect(first.output()).not.toContain(new URL(link).searchParams.get('token'));
  expect((await first.stop()).code).toBe(0);

  const second = await spawnService({ env, cwd });
  expect(second.output()).not.toMatch(/first credentials/);
  expect(listFiles(credentialsDirectory(env, cwd))).toEqual([file]);
  expect(readFileSync(file, 'utf8')).toBe(text);
  const answer = await fetch(`${second.baseUrl}/status`, { headers: { authorization: `Bearer ${admin}` } });
  expect(answer.status).toBe(200);
});

onceTest('on a terminal, the first credentials are printed and no file is written', async () => {
  const env = { ...(await newStore()), ...ANY_PORT };
  const cwd = newFolder();
  const command = [process.execPath, ...FROM_SOURCE, SERVICE_MAIN].map((word) => `'${word}'`).join(' ');
  // util-linux's script gives the command a terminal, and copies what it prints there.
  const wrapper = join(cwd, 'on-terminal.mjs');
  writeFileSync(
    wrapper,
    `import { spawn } from 'node:child_process';
    const child = spawn('script', ['-qfec', ${JSON.stringify(`exec ${command}`)}, '/dev/null'], { stdio: 'inherit' });
    child.on('exit', (code) => process.exit(code));
    process.on('SIGTERM', () => child.kill('SIGTERM'));`,
  );
  const onTerminal = spawnProgram({ program: wrapper, env, cwd });
  onTestFinished(async () => {
    onTerminal.signal('SIGTERM');
    await onTerminal.ended;
  });
  await waitUntil(() => onTerminal.output().includes('"service started"'), 30_000);
  const text = onTerminal.output().replaceAll('\r\n', '\n');
  const { tenantId, operator, admin } = parseCredentials(text);
  expect(new Set(text.match(CREDENTIAL))).toEqual(new Set([operator, admin]));
  await expectWorking(text, tenantId);
  expect(listFiles(credentialsDirectory(env, cwd))).toEqual([]);
});

onceTest('a used port ends the start with one sentence, and the next start has the credentials', async () => {
  const running = await spawnService({ env: await newStore() });
  const taken = new URL(running.baseUrl).host;
  for (const variable of ['SERVICE_BIND', 'SERVICE_METRICS_BIND']) {
    const env = { ...(await newStore()), ...ANY_PORT };
    const cwd = newFolder();
    const { code, output } = await spawnProgram({ env: { ...env, [variable]: taken }, cwd }).ended;
    expect(code).toBe(1);
    expect(output).toContain(
      `Cannot listen on ${taken}: the port is in use by another program. Set ${variable} to another address${variable === 'SERVICE_METRICS_BIND' ? ', or to off' : ''}.`,
    );
    expect(output).not.toMatch(/^ +(at|because)/m);
    expect(output).not.toMatch(CREDENTIAL);
    expect(listFiles(credentialsDirectory(env, cwd))).toEqual([]);

    const next = await spawnService({ env, cwd });
    const { tenantId } = next.credentials();
    await expectWorking(readFileSync(findCredentialsFile(next.output()) ?? '', 'utf8'), tenantId);
    await next.stop();
  }
});

/** Runs a first start that ends itself, as a power cut would, at the moment. */
function killedAt(moment: 'before the file' | 'after the file' | 'after the commit'): string {
  const from = (path: string) => JSON.stringify(new URL(`${path}.ts`, SERVER).href);
  return `
    import { toOutlet } from ${from('app/service/first-credentials')};
    import { startService } from ${from('app/service/start-service')};
    import { systemClock as clock } from ${from('platform/clock')};
    import { loadConfig } from ${from('platform/config/config')};
    import { createLogger } from ${from('platform/logger')};
    const config = loadConfig(process.env);
    const logger = createLogger({ level: 'silent' });
    const outlet = toOutlet(config, { stdout: process.stdout, logger });
    const dieAt = (moment) => {
      if (moment === ${JSON.stringify(moment)}) process.kill(process.pid, 'SIGKILL');
    };
    await startService({ config, logger, clock, outlet: {
      ...outlet,
      publish(first) {
        dieAt('before the file');
        outlet.publish(first);
        dieAt('after the file');
      },
      confirm: () => dieAt('after the commit'),
    } });`;
}

const MOMENTS = [
  ['before the file', 0],
  ['after the file', 1],
  ['after the commit', 1],
] as const;

test.each(IS_SQLITE ? MOMENTS : MOMENTS.slice(-1))(
  'a first start that is killed %s loses no credentials',
  async (moment, files) => {
    const env = { ...(await newStore()), ...ANY_PORT };
    const cwd = newFolder();
    const program = join(cwd, 'killed.ts');
    writeFileSync(program, killedAt(moment));
    expect((await spawnProgram({ program, env, cwd }).ended).code).toBe(null);
    const left = listFiles(credentialsDirectory(env, cwd));
    expect(left).toHaveLength(files);

    const next = await spawnService({ env, cwd });
    const file = findCredentialsFile(next.output()) ?? left[0] ?? '';
    expect(left.includes(file)).toBe(moment === 'after the commit');
    const { tenantId, operator, admin } = parseCredentials(readFileSync(file, 'utf8'));
    await expectAdmin(adminLinkOf(readFileSync(file, 'utf8')).replace(/^http:\/\/[^/]+/, next.baseUrl), {
      admin,
    });
    for (const credential of [operator, admin]) {
      const headers = { authorization: `Bearer ${credential}` };
      expect((await fetch(`${next.baseUrl}/status?tenant_id=${tenantId}`, { headers })).status).toBe(200);
    }
    await next.stop();
    expect(await countTenants(env)).toBe(1);
  },
);

async function runSql(url: string, text: string): Promise<void> {
  if (IS_SQLITE) {
    const writer = openWriter(toSqlitePath(url));
    writer.exec(text);
    writer.close();
    return;
  }
  const client = new Client(url);
  await client.connect();
  await client.query(text);
  await client.end();
}

test('a first start whose commit fails leaves neither a tenant nor a file', async () => {
  const store = await newStore('migrated');
  const env = { ...store, ...ANY_PORT };
  const cwd = newFolder();
  const statements = [
    'create table parents (id integer primary key)',
    'create table orphans (id integer references parents (id) deferrable initially deferred)',
  ];
  // The constraint is checked when the transaction commits.
  const orphan = 'insert into orphans values (1)';
  statements.push(
    IS_SQLITE
      ? `create trigger orphaned after insert on tenants begin ${orphan}; end`
      : `create rule orphaned as on insert to tenants do also ${orphan}`,
  );
  await runSql(store.SERVICE_DATABASE_URL ?? '', statements.join(';\n'));
  const { code, output } = await spawnProgram({ env, cwd }).ended;
  expect(code).toBe(1);
  expect(output).toMatch(/foreign key/i);
  expect(listFiles(credentialsDirectory(env, cwd))).toEqual([]);
  expect(await countTenants(env)).toBe(0);
});

test('where no file can be written, nothing is made and the log has the command that does it', async () => {
  const env = { ...(await newStore()), PATH: `${BIN}:${process.env.PATH}` };
  const cwd = newFolder();
  // Permissions do not stop root: this directory cannot be entered, because it is a file.
  const program = join(cwd, 'no-directory.ts');
  if (!IS_SQLITE) writeFileSync(join(cwd, 'data'), '');
  else writeFileSync(program, withBrokenOutlet());
  const service = await spawnService({ env, cwd, ...(IS_SQLITE && { program }) });
  expect(service.output()).not.toMatch(CREDENTIAL);
  expect(await countTenants(env)).toBe(0);
  const line = service
    .output()
    .split('\n')
    .find((text) => text.includes('first credentials not created'));
  const { command } = JSON.parse(line ?? '{}') as { command: string };

  mkdirSync(join(cwd, 'elsewhere'));
  const { stdout } = await promisify(execFile)('bash', ['-c', command], {
    cwd: join(cwd, 'elsewhere'),
    env: { ...process.env, ...env },
  });
  const [credential = ''] = stdout.match(CREDENTIAL) ?? [];
  const headers = { authorization: `Bearer ${credential}` };
  expect((await fetch(`${service.baseUrl}/status`, { headers })).status).toBe(200);
});

/** SQLite could not write to a directory without room for one more file, so the place fails instead. */
function withBrokenOutlet(): string {
  const from = (path: string) => JSON.stringify(new URL(`${path}.ts`, SERVER).href);
  return `
    import { startService } from ${from('app/service/start-service')};
    import { systemClock as clock } from ${from('platform/clock')};
    import { loadConfig } from ${from('platform/config/config')};
    import { createLogger } from ${from('platform/logger')};
    const logger = createLogger({ level: 'info' });
    const outlet = { publish() { throw new Error('no place'); } };
    const { baseUrl } = await startService({ config: loadConfig(process.env), logger, clock, outlet });
    logger.info({ baseUrl }, 'service started');`;
}

test.skipIf(IS_SQLITE)('requests before the first credentials exist are answered', async () => {
  const env = await newStore('migrated');
  const other = new Client(env.SERVICE_DATABASE_URL);
  await other.connect();
  const address = `127.0.0.1:${await findFreePort()}`;
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer svc_live_${'0'.repeat(39)}` };
    return (await fetch(`http://${address}${path}`, { headers })).status;
  };
  // The service's own transaction waits for this one.
  await other.query('begin');
  await other.query("insert into service_settings values ('first_start_done', 'yes')");
  const starting = spawnService({ env: { ...env, SERVICE_BIND: address } });
  const isListening = () =>
    ask('/healthz').then(
      (status) => status === 200,
      () => false,
    );
  await waitUntil(isListening, 30_000);
  expect([await ask('/readyz'), await ask('/status')]).toEqual([503, 401]);
  await other.query('rollback');
  await other.end();
  const service = await starting;
  expect(await ask('/readyz')).toBe(200);
  expect(service.credentials().tenantId).toMatch(/^tnt_/);
});

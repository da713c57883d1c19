import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestService } from '@tps/testing/service';
import { createTestStore, openTestDatabase } from '@tps/testing/store';
import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../database/index.ts';
import { checkInstallation } from './check-installation.ts';

const directory = mkdtempSync(join(tmpdir(), 'tps-check-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

const newKey = () => randomBytes(32).toString('base64');

test('every configuration problem is reported, and no secret is shown', async () => {
  const found = await checkInstallation({
    SERVICE_BIND: 'nonsense',
    SERVICE_RATE_LIMIT_PER_MINUTE: 'many',
    SERVICE_SECRET_KEY_B64: 'too-short-a-key',
  });
  expect(found).toMatchObject({ ok: false, store: null, disk: null });
  expect(found.problems.map(({ part }) => part)).toEqual(Array(3).fill('configuration'));
  expect(JSON.stringify(found)).not.toContain('too-short-a-key');
});

test('a store that does not exist yet is only a warning, and is not created', async () => {
  const path = join(directory, 'new', 'service.db');
  const found = await checkInstallation({ SERVICE_DATABASE_URL: `sqlite:${path}` });
  expect(found).toMatchObject({
    ok: true,
    store: { reachable: false, schema_version: null },
    disk: { path: directory },
  });
  expect(found.problems).toContainEqual(expect.objectContaining({ part: 'store', level: 'warning' }));
  expect(existsSync(path)).toBe(false);
});

test('an empty database is only a warning, and stays empty', async () => {
  const { url, drop } = await createTestStore('empty');
  onTestFinished(drop);
  // SQLite creates a database in an empty file.
  if (url.startsWith('sqlite:')) writeFileSync(url.slice('sqlite:'.length), '');
  for (let count = 1; count <= 2; count += 1) {
    const { ok, problems } = await checkInstallation({ SERVICE_DATABASE_URL: url });
    const found = problems.filter(({ part }) => part === 'store');
    expect({ ok, found }).toEqual({
      ok: true,
      found: [{ part: 'store', level: 'warning', message: expect.stringContaining('first start creates') }],
    });
  }
});

test("another program's database is reported", async () => {
  const { url, drop } = await createTestStore('migrated');
  onTestFinished(drop);
  const database = await openDatabase(url);
  await database.transaction(async (tx) => {
    await sql`drop table schema_migrations`.execute(tx.db);
  });
  await database.close();
  const { ok, problems } = await checkInstallation({ SERVICE_DATABASE_URL: url });
  expect(ok).toBe(false);
  expect(problems).toContainEqual({
    part: 'store',
    level: 'error',
    message: 'The database is not a store of this service.',
  });
});

test('a file that is not a store is reported', async () => {
  const path = join(directory, 'text.db');
  writeFileSync(path, 'no database at all');
  const found = await checkInstallation({ SERVICE_DATABASE_URL: `sqlite:${path}` });
  expect(found.ok).toBe(false);
  expect(found.problems).toEqual([
    { part: 'store', level: 'error', message: `${path} is not an SQLite database.` },
  ]);
});

test('the networks that webhooks may target are reported, with a warning about this machine', async () => {
  const env = { SERVICE_DATABASE_URL: `sqlite:${join(directory, 'new', 'service.db')}` };
  const plain = await checkInstallation({ ...env, SERVICE_WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16,::/0' });
  expect(plain.webhooks).toEqual({ allowed_networks: ['10.20.0.0/16', '::/0'] });
  expect(plain.problems.filter(({ part }) => part === 'webhooks')).toEqual([]);
  const risky = await checkInstallation({
    ...env,
    SERVICE_WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16,169.254.169.254/32',
  });
  expect(risky).toMatchObject({ ok: true });
  expect(risky.problems).toContainEqual({
    part: 'webhooks',
    level: 'warning',
    message: expect.stringContaining('lists 169.254.169.254/32:'),
  });
  const malformed = await checkInstallation({ ...env, SERVICE_WEBHOOK_ALLOWED_NETWORKS: '10.20.1.1/16' });
  expect(malformed).toMatchObject({ ok: false, webhooks: null });
  expect(malformed.problems[0]?.message).toMatch(/"10\.20\.1\.1\/16"; expected networks without host bits/);
});

test('an authority file for webhooks that cannot be used is an error', async () => {
  const env = { SERVICE_DATABASE_URL: `sqlite:${join(directory, 'new', 'service.db')}` };
  const path = join(directory, 'authority.pem');
  writeFileSync(path, 'no certificate');
  for (const file of [path, join(directory, 'missing.pem')]) {
    const found = await checkInstallation({ ...env, SERVICE_WEBHOOK_CA_FILE: file });
    expect(found.ok).toBe(false);
    expect(found.problems).toContainEqual(
      expect.objectContaining({
        part: 'webhooks',
        message: expect.stringContaining('SERVICE_WEBHOOK_CA_FILE'),
      }),
    );
  }
});

test('a list of stolen passwords that cannot be used is reported', async () => {
  const path = join(directory, 'stolen.txt');
  writeFileSync(path, 'letmein\npassword\n');
  const { ok, problems } = await checkInstallation({
    SERVICE_DATABASE_URL: `sqlite:${join(directory, 'service.db')}`,
    SERVICE_BREACHED_PASSWORDS_FILE: path,
  });
  expect(ok).toBe(false);
  const message = expect.stringMatching(/SERVICE_BREACHED_PASSWORDS_FILE cannot be used.*SHA-1/s);
  expect(problems).toContainEqual({ part: 'accounts', level: 'error', message });
});

test('a store in use is checked, with its schema', async () => {
  const { url, drop } = await openTestDatabase();
  onTestFinished(drop);
  const { ok, problems, store } = await checkInstallation({ SERVICE_DATABASE_URL: url });
  expect({ ok, problems: problems.filter(({ part }) => part !== 'disk') }).toEqual({
    ok: true,
    problems: [],
  });
  expect(store).toMatchObject({ reachable: true, writable: true, pending_migrations: [] });
  expect(store?.schema_version).toMatch(/^\d{4}-/);
});

test('a store of a newer version is distinguished from one to be migrated', async () => {
  const { database, url, drop } = await openTestDatabase();
  onTestFinished(drop);
  await database.transaction(async (tx) => {
    await tx.db.deleteFrom('schema_migrations').where('name', 'like', '0009%').execute();
  });
  const older = await checkInstallation({ SERVICE_DATABASE_URL: url });
  expect(older).toMatchObject({ ok: true, store: { pending_migrations: ['0009-create-retention'] } });
  await database.transaction(async (tx) => {
    await tx.db.insertInto('schema_migrations').values({ name: '9999-later', applied_at: 1 }).execute();
  });
  const newer = await checkInstallation({ SERVICE_DATABASE_URL: url });
  expect(newer.ok).toBe(false);
  expect(newer.problems).toContainEqual(
    expect.objectContaining({ part: 'store', message: expect.stringContaining('9999-later') }),
  );
});

test('a master key that does not open the stored secrets is reported', async () => {
  const key = newKey();
  const service = await startTestService({ env: { SERVICE_SECRET_KEY_B64: key } });
  onTestFinished(() => service.stop());
  const { url } = service.store;
  const { credential } = await service.createTenant();
  const body = { url: 'https://93.184.215.14/hook', secret: 'whsec_'.padEnd(38, 'x') };
  const made = await service.client.send('POST', '/webhooks', { credential, body });
  const checkWith = (more: { SERVICE_SECRET_KEY_B64?: string }) =>
    checkInstallation({ SERVICE_DATABASE_URL: url, ...more });
  expect(made.status, made.text).toBe(201);
  expect(await checkWith({ SERVICE_SECRET_KEY_B64: key })).toMatchObject({
    ok: true,
    secrets: { master_key: 'set' },
  });
  for (const more of [{ SERVICE_SECRET_KEY_B64: newKey() }, {}]) {
    const { ok, problems } = await checkWith(more);
    expect(ok).toBe(false);
    expect(problems).toContainEqual(expect.objectContaining({ part: 'secrets', level: 'error' }));
  }
});

test('authenticator apps that need another master key are reported', async () => {
  const { database, url, drop } = await openTestDatabase({ exclusive: false });
  onTestFinished(drop);
  const row = { account_id: 'acc_1', key_id: 'another', sealed_secret: Buffer.alloc(40), last_step: null };
  const rows = [{ ...row, created_at: 1, confirmed_at: 1 }];
  await database.transaction((tx) => tx.insertMany('account_totp', rows));
  const env = { SERVICE_DATABASE_URL: url, SERVICE_SECRET_KEY_B64: newKey() };
  const message = expect.stringContaining('The authenticator apps of 1 accounts cannot be read');
  const { problems } = await checkInstallation(env);
  expect(problems).toContainEqual({ part: 'secrets', level: 'error', message });
});

test.skipIf(process.getuid?.() === 0)('a directory without write permission is reported', async () => {
  const { url, drop } = await openTestDatabase({ exclusive: false });
  onTestFinished(drop);
  if (!url.startsWith('sqlite:')) return;
  const path = url.slice('sqlite:'.length);
  chmodSync(path, 0o400);
  onTestFinished(() => chmodSync(path, 0o600));
  expect((await checkInstallation({ SERVICE_DATABASE_URL: url })).ok).toBe(false);
});

test('a secret that every user can read, and an unencrypted database, are warnings', async () => {
  const { url, drop } = await createTestStore('migrated');
  onTestFinished(drop);
  const file = join(directory, 'master-key');
  writeFileSync(file, newKey());
  chmodSync(file, 0o644);
  // On PostgreSQL: it leads to this machine, but is not a loopback address.
  const env = {
    SERVICE_DATABASE_URL: url.replace('127.0.0.1', '0.0.0.0'),
    SERVICE_SECRET_KEY_B64_FILE: file,
  };
  const { ok, problems, secrets } = await checkInstallation(env);
  expect({ ok, secrets }).toEqual({ ok: true, secrets: { master_key: 'set' } });
  const messages = problems.filter(({ part }) => part !== 'disk').map(({ part, message }) => [part, message]);
  const ofFile = ['configuration', expect.stringContaining(`${file} may be read or changed`)];
  const ofConnection = ['store', expect.stringContaining('PostgreSQL at 0.0.0.0 is not encrypted')];
  expect(messages).toEqual(url.startsWith('sqlite:') ? [ofFile] : [ofFile, ofConnection]);
});

import { mkdtempSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestContext } from '../testing/test-context.ts';
import { resolveConnection } from './connection.ts';
import { profilesPath, readProfiles, writeProfiles } from './profiles.ts';

const URL_HERE = 'https://tps.example.com';

async function saved(credential = 'of the profile') {
  const env = { XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'tps-')) };
  await writeProfiles(env, { current: 'one', profiles: { one: { url: URL_HERE, credential } } });
  return env;
}

test('what was typed goes before the environment, and that before the profile', async () => {
  const env = await saved();
  const resolve = (wanted: object, more: object = {}, input = '') =>
    resolveConnection(createTestContext({ env: { ...env, ...more }, input }).context, wanted);
  await expect(resolve({})).resolves.toMatchObject({ url: URL_HERE, credential: 'of the profile' });
  await expect(resolve({}, { TPS_CREDENTIAL: 'e' })).resolves.toMatchObject({ credential: 'e' });
  await expect(resolve({ credentialFile: '-' }, { TPS_CREDENTIAL: 'e' }, ' typed\n')).resolves.toMatchObject({
    credential: 'typed',
  });
});

test("a profile's credential is sent to the profile's service alone", async () => {
  const env = await saved();
  const resolve = (url: string, more: object = {}) =>
    resolveConnection(createTestContext({ env: { ...env, ...more } }).context, { url });
  await expect(resolve('https://elsewhere.example')).rejects.toThrow('is not sent to');
  await expect(resolve(`${URL_HERE}/`)).resolves.toMatchObject({ credential: 'of the profile' });
  await expect(resolve('https://elsewhere.example', { TPS_CREDENTIAL: 'e' })).resolves.toBeDefined();
});

test.each([
  'http://tps.example.com',
  'http://127.0.0.1.example.com',
  'https://user:word@tps.example.com',
  'ftp://tps.example.com',
  'tps.example.com',
])('no credential is sent to %s', async (url) => {
  const { context } = createTestContext({ env: { ...(await saved()), TPS_CREDENTIAL: 'e' } });
  await expect(resolveConnection(context, { url })).rejects.toThrow('service');
});

test('profiles are for their owner alone, and refused when others could read them', async () => {
  const env = await saved();
  const path = profilesPath(env);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await chmod(path, 0o640);
  await expect(readProfiles(env)).rejects.toThrow('chmod 600');
});

test('profiles that are damaged are refused without showing a credential', async () => {
  const env = await saved('svc_live_canary');
  const path = profilesPath(env);
  await writeFile(path, (await readFile(path, 'utf8')).slice(0, -4));
  await expect(readProfiles(env)).rejects.toThrow(/^((?!canary).)*$/);
  await writeFile(path, '{"profiles":{"one":{"url":7}}}');
  await expect(readProfiles(env)).rejects.toThrow('damaged');
});

test('a profile that nobody saved is not found by a name every object has', async () => {
  const { context } = createTestContext({ env: await saved() });
  await expect(resolveConnection(context, { profile: 'constructor' })).rejects.toThrow('There is no profile');
});

import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { newFolder } from '@tps/testing/fixture';
import { createTestContext } from '@tps/testing/tps';
import { expect, test } from 'vitest';
import { resolveConnection } from './connection.ts';
import { profilesPath, readProfiles, writeProfiles } from './profiles.ts';

const URL_HERE = 'https://tps.example.com';

async function saved(credential = 'of the profile') {
  const env = { XDG_CONFIG_HOME: newFolder() };
  await writeProfiles(env, { current: 'one', profiles: { one: { url: URL_HERE, credential } } });
  return env;
}

test('options take precedence over the environment, and that over the profile', async () => {
  const env = await saved();
  const resolve = (options: object, more: object = {}, input = '') =>
    resolveConnection(createTestContext({ env: { ...env, ...more }, input }).context, options);
  await expect(resolve({})).resolves.toMatchObject({ url: URL_HERE, credential: 'of the profile' });
  await expect(resolve({}, { TPS_CREDENTIAL: 'e' })).resolves.toMatchObject({ credential: 'e' });
  await expect(resolve({ credentialFile: '-' }, { TPS_CREDENTIAL: 'e' }, ' typed\n')).resolves.toMatchObject({
    credential: 'typed',
  });
});

test("the credential of a profile is sent to the profile's service only", async () => {
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
])('a credential is not sent to %s', async (url) => {
  const { context } = createTestContext({ env: { ...(await saved()), TPS_CREDENTIAL: 'e' } });
  await expect(resolveConnection(context, { url })).rejects.toThrow('service');
});

test('profiles are readable by their owner only, and rejected otherwise', async () => {
  const env = await saved();
  const path = profilesPath(env);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await chmod(path, 0o640);
  await expect(readProfiles(env)).rejects.toThrow('chmod 600');
});

test('damaged profiles are rejected without showing a credential', async () => {
  const env = await saved('svc_live_canary');
  const path = profilesPath(env);
  await writeFile(path, (await readFile(path, 'utf8')).slice(0, -4));
  await expect(readProfiles(env)).rejects.toThrow(/^((?!canary).)*$/);
  await writeFile(path, '{"profiles":{"one":{"url":7}}}');
  await expect(readProfiles(env)).rejects.toThrow('damaged');
});

test('a profile named like an object property does not exist', async () => {
  const { context } = createTestContext({ env: await saved() });
  await expect(resolveConnection(context, { profile: 'constructor' })).rejects.toThrow('does not exist');
});

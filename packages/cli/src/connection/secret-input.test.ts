import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { createTestContext } from '@tps/testing/tps';
import { expect, test } from 'vitest';
import { resolveConnection } from './connection.ts';
import { readSecretFile, readSecretVariable } from './secret-input.ts';

async function folderWith(secret: string, mode = 0o600): Promise<string> {
  const directory = newFolder();
  await writeFile(join(directory, 'secret'), secret);
  await chmod(join(directory, 'secret'), mode);
  return directory;
}

const FROM_FILE = { TPS_URL: 'https://tps.example.com', TPS_CREDENTIAL_FILE: 'secret' };

test('the credential can be in the file that TPS_CREDENTIAL_FILE names', async () => {
  const directory = await folderWith('svc_test_file\n');
  const { context, stderr } = createTestContext({ env: FROM_FILE, directory });
  const connection = await resolveConnection(context, { url: FROM_FILE.TPS_URL });
  expect(connection.credential).toBe('svc_test_file');
  expect(stderr()).toBe('');
});

test('an option takes precedence over both variables', async () => {
  const { context } = createTestContext({ env: { ...FROM_FILE, TPS_CREDENTIAL: 'e' }, input: 'typed' });
  const connection = await resolveConnection(context, { url: FROM_FILE.TPS_URL, credentialFile: '-' });
  expect(connection.credential).toBe('typed');
});

test('a variable and the one of its file together are rejected, and the message names both', async () => {
  const directory = await folderWith('hunter2');
  const { context } = createTestContext({ env: { ...FROM_FILE, TPS_CREDENTIAL: 'hunter2' }, directory });
  const reading = readSecretVariable(context, 'TPS_CREDENTIAL');
  await expect(reading).rejects.toThrow(/^TPS_CREDENTIAL and TPS_CREDENTIAL_FILE are both set/);
  await expect(reading).rejects.not.toThrow('hunter2');
});

test('a file that cannot be read is named', async () => {
  const { context } = createTestContext({ env: FROM_FILE, directory: newFolder() });
  await expect(readSecretVariable(context, 'TPS_CREDENTIAL')).rejects.toThrow(
    'Cannot read secret: no such file.',
  );
});

test('an empty variable counts as not set', async () => {
  const { context } = createTestContext({ env: { TPS_CREDENTIAL: '', TPS_CREDENTIAL_FILE: '' } });
  expect(await readSecretVariable(context, 'TPS_CREDENTIAL')).toBeUndefined();
});

test('a secret that every user can read gives a warning that does not show it', async () => {
  const directory = await folderWith('hunter2', 0o644);
  const { context, stderr } = createTestContext({ directory });
  expect(await readSecretFile(context, 'secret')).toBe('hunter2');
  expect(stderr()).toContain('chmod o= secret');
  expect(stderr()).not.toContain('hunter2');
});

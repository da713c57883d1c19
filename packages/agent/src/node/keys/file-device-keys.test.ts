import { chmod, link, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { SIGNATURE_ALGORITHMS } from '@tps/signatures';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../testing/store-ground.ts';
import { createDeviceKeys, openDeviceKeys } from './file-device-keys.ts';

async function newKeys() {
  const path = join(await temporaryDirectory(), 'device', 'keys.json');
  return { path, keys: await createDeviceKeys({ path, algorithm: 'ed25519' }) };
}

test.each(SIGNATURE_ALGORITHMS)('a signing key for %s is the same after reopening', async (algorithm) => {
  const path = join(await temporaryDirectory(), 'keys.json');
  const made = await (await createDeviceKeys({ path, algorithm })).signingKey();
  const read = await (await openDeviceKeys({ path })).signingKey();
  expect([read.algorithm, read.publicKeyB64]).toEqual([algorithm, made.publicKeyB64]);
});

test('the key file is readable by its owner only, and rejected otherwise', async () => {
  const { path } = await newKeys();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  for (const mode of [0o640, 0o604, 0o660]) {
    await chmod(path, mode);
    await expect(openDeviceKeys({ path })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('set its mode to 600'),
    });
  }
});

test('an existing key file is never overwritten', async () => {
  const { path } = await newKeys();
  const before = await readFile(path, 'utf8');
  await expect(createDeviceKeys({ path, algorithm: 'ed25519' })).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(await readFile(path, 'utf8')).toBe(before);
});

test('a missing and a damaged key file have different codes, and no message quotes it', async () => {
  const { path } = await newKeys();
  await expect(openDeviceKeys({ path: `${path}.none` })).rejects.toMatchObject({ code: 'missing' });
  const whole = await readFile(path, 'utf8');
  const secret = JSON.parse(whole).storage[0].secret;
  const damaged = [
    '',
    '{}',
    whole.slice(0, -20),
    whole.replace('"version": 1', '"version": 2'),
    whole.replace(secret, 'AA'),
  ];
  for (const content of damaged) {
    await writeFile(path, content);
    const error = await openDeviceKeys({ path }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'damaged' });
    expect(inspect(error, { depth: 9 })).not.toContain(secret);
  }
});

test('the old content of the key file, with its destroyed key, is overwritten', async () => {
  const { path, keys } = await newKeys();
  await keys.rotateStorageKey();
  const before = `${path}.before`;
  await link(path, before);
  await keys.forgetOldStorageKeys();
  expect((await readFile(before)).every((byte) => byte === 0)).toBe(true);
  await openDeviceKeys({ path });
});

test('printing the keys shows no key', async () => {
  const { path, keys } = await newKeys();
  const { signing, storage } = JSON.parse(await readFile(path, 'utf8'));
  const printed = `${inspect(keys, { depth: 9, showHidden: true })}${JSON.stringify(keys)}`;
  expect(printed).not.toContain(signing.pkcs8);
  expect(printed).not.toContain(storage[0].secret);
  expect(printed).not.toContain(Buffer.from(storage[0].secret, 'base64').toString('hex').slice(0, 12));
});

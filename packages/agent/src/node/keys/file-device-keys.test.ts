import { chmod, link, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { SIGNATURE_ALGORITHMS } from '@tps/signatures';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../testing/store-builders.ts';
import { createDeviceKeys, openDeviceKeys } from './file-device-keys.ts';

const NONCE = new Uint8Array(12);
const NOTHING = new Uint8Array();

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

test('a staged key survives a restart until it is promoted or discarded', async () => {
  const { path, keys } = await newKeys();
  const old = await keys.signingKey();
  const staged = await keys.stageSigningKey('ecdsa-p256-sha256');
  await keys.settleSigningKey('discard');
  expect(await keys.stagedSigningKey()).toBeUndefined();
  const next = await keys.stageSigningKey('ecdsa-p256-sha256');
  expect(next.publicKeyB64).not.toBe(staged.publicKeyB64);
  const again = await openDeviceKeys({ path });
  expect((await again.signingKey()).publicKeyB64).toBe(old.publicKeyB64);
  expect((await again.stagedSigningKey())?.publicKeyB64).toBe(next.publicKeyB64);
  await again.settleSigningKey('promote');
  await again.settleSigningKey('promote');
  const last = await openDeviceKeys({ path });
  expect((await last.signingKey()).publicKeyB64).toBe(next.publicKeyB64);
  expect(await last.stagedSigningKey()).toBeUndefined();
});

test('a data key opens what it sealed, even after rewrapping under another storage key', async () => {
  const { path, keys } = await newKeys();
  const { dataKey, wrapped } = await keys.createDataKey();
  const sealed = dataKey.seal(NONCE, Buffer.from('text'), NOTHING);
  await keys.rotateStorageKey();
  const reopened = await openDeviceKeys({ path });
  const rewrapped = await reopened.rewrapDataKey(wrapped);
  expect(await reopened.rewrapDataKey(rewrapped)).toEqual(rewrapped);
  for (const each of [wrapped, rewrapped]) {
    const opened = (await reopened.unwrapDataKey(each)).open(NONCE, sealed, NOTHING);
    expect(Buffer.from(opened ?? NOTHING).toString()).toBe('text');
  }
  await reopened.forgetOldStorageKeys();
  await expect(reopened.unwrapDataKey(wrapped)).rejects.toMatchObject({ code: 'wrong_key' });
  expect((await reopened.unwrapDataKey(rewrapped)).open(NONCE, sealed, NOTHING)).toBeDefined();
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

test('a wrapped key with any byte changed is not unwrapped', async () => {
  const { keys } = await newKeys();
  const { wrapped } = await keys.createDataKey();
  for (let at = 0; at < wrapped.length; at += 1) {
    const changed = Uint8Array.from(wrapped);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await expect(keys.unwrapDataKey(changed)).rejects.toMatchObject({
      code: at < 8 ? 'wrong_key' : 'damaged',
    });
  }
  await expect(keys.unwrapDataKey(wrapped.subarray(0, 30))).rejects.toMatchObject({ code: 'damaged' });
});

test('a data key opens no changed data, and no data after it is destroyed', async () => {
  const { keys } = await newKeys();
  const { dataKey } = await keys.createDataKey();
  const sealed = dataKey.seal(NONCE, Buffer.from('text'), NOTHING);
  const changed = Uint8Array.from(sealed, (byte, index) => (index === 0 ? byte ^ 1 : byte));
  expect(dataKey.open(NONCE, changed, NOTHING)).toBeUndefined();
  expect(dataKey.open(NONCE, sealed, Buffer.from('other'))).toBeUndefined();
  expect(dataKey.open(NONCE, sealed.subarray(0, 3), NOTHING)).toBeUndefined();
  dataKey.destroy();
  expect(() => dataKey.seal(NONCE, NOTHING, NOTHING)).toThrow('destroyed');
  expect(() => dataKey.open(NONCE, sealed, NOTHING)).toThrow('destroyed');
});

test('printing the keys shows no key', async () => {
  const { path, keys } = await newKeys();
  const { signing, storage } = JSON.parse(await readFile(path, 'utf8'));
  const printed = `${inspect(keys, { depth: 9, showHidden: true })}${JSON.stringify(keys)}`;
  expect(printed).not.toContain(signing.pkcs8);
  expect(printed).not.toContain(storage[0].secret);
  expect(printed).not.toContain(Buffer.from(storage[0].secret, 'base64').toString('hex').slice(0, 12));
});

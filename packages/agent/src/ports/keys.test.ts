import { expect, test } from 'vitest';
import { storeGround } from '../testing/store-ground.ts';

const NONCE = new Uint8Array(12);
const NOTHING = new Uint8Array();
const TEXT = new TextEncoder().encode('text');

test('a staged key survives a restart until it is promoted or discarded', async () => {
  const { keys, openKeys } = await storeGround();
  const old = await keys.signingKey();
  await keys.stageSigningKey('ecdsa-p256-sha256');
  await keys.settleSigningKey('discard');
  expect(await keys.stagedSigningKey()).toBeUndefined();
  const next = await keys.stageSigningKey('ecdsa-p256-sha256');
  const again = await openKeys();
  expect((await again.signingKey()).publicKeyB64).toBe(old.publicKeyB64);
  expect((await again.stagedSigningKey())?.publicKeyB64).toBe(next.publicKeyB64);
  await again.settleSigningKey('promote');
  await again.settleSigningKey('promote');
  const last = await openKeys();
  expect(await last.signingKey()).toMatchObject({
    algorithm: 'ecdsa-p256-sha256',
    publicKeyB64: next.publicKeyB64,
  });
  expect(await last.stagedSigningKey()).toBeUndefined();
});

test('a data key opens what it sealed, even after rewrapping under another storage key', async () => {
  const { keys, openKeys } = await storeGround();
  const { dataKey, wrapped } = await keys.createDataKey();
  const sealed = await dataKey.seal(NONCE, TEXT, NOTHING);
  await keys.rotateStorageKey();
  const reopened = await openKeys();
  const rewrapped = await reopened.rewrapDataKey(wrapped);
  expect([...(await reopened.rewrapDataKey(rewrapped))]).toEqual([...rewrapped]);
  for (const each of [wrapped, rewrapped]) {
    const opened = await (await reopened.unwrapDataKey(each)).open(NONCE, sealed, NOTHING);
    expect([...(opened ?? NOTHING)]).toEqual([...TEXT]);
  }
  await reopened.forgetOldStorageKeys();
  await expect(reopened.unwrapDataKey(wrapped)).rejects.toMatchObject({ code: 'wrong_key' });
  const kept = await (await openKeys()).unwrapDataKey(rewrapped);
  expect(await kept.open(NONCE, sealed, NOTHING)).toBeDefined();
});

test('a wrapped key with any byte changed is not unwrapped', async () => {
  const { keys } = await storeGround();
  const { wrapped } = await keys.createDataKey();
  for (let at = 0; at < wrapped.length; at += 1) {
    const changed = Uint8Array.from(wrapped);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const code = at < 8 ? 'wrong_key' : 'damaged';
    await expect(keys.unwrapDataKey(changed)).rejects.toMatchObject({ code });
  }
  await expect(keys.unwrapDataKey(wrapped.subarray(0, 30))).rejects.toMatchObject({ code: 'damaged' });
});

test('a data key opens no changed data, and no data after it is destroyed', async () => {
  const { keys } = await storeGround();
  const { dataKey } = await keys.createDataKey();
  const sealed = await dataKey.seal(NONCE, TEXT, NOTHING);
  const changed = Uint8Array.from(sealed, (byte, index) => (index === 0 ? byte ^ 1 : byte));
  expect(sealed.length).toBe(TEXT.length + 16);
  expect(await dataKey.open(NONCE, changed, NOTHING)).toBeUndefined();
  expect(await dataKey.open(NONCE, sealed, TEXT)).toBeUndefined();
  expect(await dataKey.open(NONCE, sealed.subarray(0, 3), NOTHING)).toBeUndefined();
  dataKey.destroy();
  await expect(dataKey.seal(NONCE, NOTHING, NOTHING)).rejects.toThrow('destroyed');
  await expect(dataKey.open(NONCE, sealed, NOTHING)).rejects.toThrow('destroyed');
});

test('the hash is SHA-256 of the UTF-8 bytes, in hex', async () => {
  const { keys } = await storeGround();
  // FIPS 180-4, and a character of four bytes.
  expect(keys.sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(keys.sha256Hex('😀')).toBe('f0443a342c5ef54783a111b51ba56c938e474c32324d90c3a60c9c8e3a37e2d9');
  expect(new Set(Array.from({ length: 20 }, () => keys.randomBytes(16).join())).size).toBe(20);
});

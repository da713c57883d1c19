import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { inspect } from 'node:util';
import { algorithmsFor, parsePublicKey, SIGNATURE_ALGORITHMS, SignatureError } from '@tps/signatures';
import { expect, test } from 'vitest';
import { deviceKeyFrom, generateDeviceKey } from './software-key.ts';

test.each(SIGNATURE_ALGORITHMS)(
  'a key for %s has a matching public half that the service accepts',
  async (name) => {
    const key = await generateDeviceKey(name);
    const parsed = parsePublicKey(key.publicKeyB64);
    expect(key.algorithm).toBe(name);
    expect(algorithmsFor(parsed)).toContain(name);
    expect(parsed.equals(createPublicKey(key.privateKey))).toBe(true);
  },
);

test('an RSA key has 2048 bits', async () => {
  const { privateKey } = await generateDeviceKey('rsa-pss-sha512');
  expect(privateKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
});

test('two keys differ', async () => {
  const [one, other] = await Promise.all([generateDeviceKey('ed25519'), generateDeviceKey('ed25519')]);
  expect(one.publicKeyB64).not.toBe(other.publicKeyB64);
});

test('printing a key does not show its private half', async () => {
  const key = await generateDeviceKey('ed25519');
  const { d = '' } = key.privateKey.export({ format: 'jwk' });
  const secret = Buffer.from(d, 'base64url');
  expect(secret).toHaveLength(32);
  const printed = `${inspect(key, { depth: 9, showHidden: true })}${JSON.stringify(key)}`;
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    expect(printed).not.toContain(secret.toString(encoding));
  }
});

test('a stored key signs as it did before', async () => {
  const { privateKey, publicKeyB64 } = await generateDeviceKey('ecdsa-p256-sha256');
  const again = deviceKeyFrom(
    createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    'ecdsa-p256-sha256',
  );
  const bytes = Buffer.from('signed');
  const value = await again.sign(bytes);
  const key = { key: parsePublicKey(publicKeyB64), dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', bytes, key, value)).toBe(true);
});

test('an algorithm that does not match a stored key is rejected', async () => {
  const { privateKey } = await generateDeviceKey('ed25519');
  expect(() => deviceKeyFrom(privateKey, 'rsa-pss-sha512')).toThrow(SignatureError);
});

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { KEY_NAMES, type KeyName, type VectorKey } from './vectors.ts';

/** Keeps the keys of the file, and creates those that it lacks. */
export function keepTestKeys(known: Partial<Record<KeyName, VectorKey>>): Record<KeyName, VectorKey> {
  return Object.fromEntries(KEY_NAMES.map((name) => [name, known[name] ?? createTestKey(name)])) as Record<
    KeyName,
    VectorKey
  >;
}

export function privateKeyOf({ private_key_pem }: VectorKey): KeyObject {
  return createPrivateKey(private_key_pem);
}

export function publicKeyOf({ public_key_b64 }: VectorKey): KeyObject {
  return createPublicKey({ key: Buffer.from(public_key_b64, 'base64'), format: 'der', type: 'spki' });
}

function createTestKey(name: KeyName): VectorKey {
  const privateKey = generate(name);
  return {
    private_key_pem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    public_key_b64: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}

function generate(name: KeyName): KeyObject {
  if (name === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  if (name === 'p256') return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  return generateKeyPairSync('ed25519').privateKey;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildVectors, toText } from './build-vectors.ts';
import type { SigningVectors, VectorKey } from './vectors.ts';

const text = readFileSync(join(import.meta.dirname, '../../../docs/signing-vectors.json'), 'utf8');
const vectors = JSON.parse(text) as SigningVectors;
const { subtle } = globalThis.crypto;

/** What Web Crypto calls each algorithm. Its ECDSA signatures have the form of RFC 9421, not DER. */
const WEB_CRYPTO = {
  'rsa-v1_5-sha256': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  'rsa-pss-sha512': { name: 'RSA-PSS', hash: 'SHA-512', saltLength: 64 },
  'ecdsa-p256-sha256': { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' },
  ed25519: { name: 'Ed25519' },
};

async function verifyWithWebCrypto(
  alg: string,
  { key, base, signature_b64 }: { key: VectorKey; base: string; signature_b64: string },
): Promise<boolean> {
  const algorithm = WEB_CRYPTO[alg as keyof typeof WEB_CRYPTO];
  const spki = Buffer.from(key.public_key_b64, 'base64');
  const publicKey = await subtle.importKey('spki', spki, algorithm, false, ['verify']);
  return subtle.verify(algorithm, publicKey, Buffer.from(signature_b64, 'base64'), Buffer.from(base));
}

test('docs/signing-vectors.json is what npm run vectors writes', () => {
  expect(toText(buildVectors(vectors)) === text).toBe(true);
});

test('the vectors are the same when they are built again, except for keys and signatures', () => {
  const first = buildVectors({});
  expect(buildVectors(first)).toEqual(first);
});

test('Web Crypto verifies every signature of an accepted request, of all four algorithms', async () => {
  const signatures = vectors.requests.flatMap((request) => request.signatures);
  for (const { alg, key, base, signature_b64, keyid } of signatures) {
    const isValid = await verifyWithWebCrypto(alg, { key: vectors.keys[key], base, signature_b64 });
    expect({ keyid, alg, isValid }).toEqual({ keyid, alg, isValid: true });
    expect(await verifyWithWebCrypto(alg, { key: vectors.keys[key], base: `${base} `, signature_b64 })).toBe(
      false,
    );
  }
  expect(new Set(signatures.map(({ alg }) => alg))).toEqual(new Set(Object.keys(WEB_CRYPTO)));
});

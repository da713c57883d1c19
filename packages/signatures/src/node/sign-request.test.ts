import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { SignatureAlgorithm } from '../algorithms.ts';
import { parseSignatures } from '../parse-signatures.ts';
import { SignatureError } from '../signature-error.ts';
import {
  BODY,
  KEYS,
  NONCE,
  onlySignature,
  signedMessage,
  signerFor,
  toMessage,
} from '../testing/signed-request.ts';
import { signRequest, signWith } from './sign-request.ts';
import { verifySignature } from './verify-signature.ts';

describe('signRequest', () => {
  const request = { method: 'POST', path: '/devices/dev_1/keys', body: BODY };

  test('returns exactly the headers of the profile', async () => {
    const headers = await signRequest(
      request,
      signerFor('ed25519', { created: 1_700_000_000, nonce: NONCE }),
    );
    expect(headers['content-digest']).toBe('sha-256=:NqsitJCTHk0d7eVPt347dwdIq+hswC2NAJ4metHerk0=:');
    expect(headers['signature-input']).toBe(
      `tps=("@method" "@path" "content-digest");created=1700000000;nonce="${NONCE}";keyid="dev_1";alg="ed25519";tag="tps-event"`,
    );
    expect(headers.signature).toMatch(/^tps=:[A-Za-z0-9+/]{86}==:$/);
  });

  test('signs with a function, as for a key in hardware, over the same bytes', async () => {
    const { privateKey } = KEYS.ed25519;
    const signer = signerFor('ed25519', { created: 1_700_000_000, nonce: NONCE });
    const inHardware = { ...signer, privateKey: signWith(privateKey, 'ed25519') };
    expect(await signRequest(request, inHardware)).toEqual(await signRequest(request, signer));
  });

  test('uses the current second and a new nonce of 16 bytes by default', async () => {
    const before = Math.floor(Date.now() / 1000);
    const signatures = await Promise.all(
      Array.from({ length: 50 }, async () => onlySignature(await signedMessage())),
    );
    expect(new Set(signatures.map(({ nonce }) => nonce)).size).toBe(50);
    for (const { created, nonce } of signatures) {
      expect(created).toBeGreaterThanOrEqual(before);
      expect(created).toBeLessThanOrEqual(Date.now() / 1000);
      expect(Buffer.from(nonce, 'base64url')).toHaveLength(16);
    }
  });

  test('signs a rotation with the old and the new key, each verifiable with its key only', async () => {
    const tag = 'tps-rotate' as const;
    const headers = await signRequest(request, [
      signerFor('rsa-pss-sha512', { label: 'old', tag }),
      signerFor('ed25519', { label: 'new', tag }),
    ]);
    const signatures = parseSignatures(toMessage(headers, { path: request.path }));
    expect(signatures.map(({ label, tag, algorithm }) => [label, tag, algorithm])).toEqual([
      ['old', 'tps-rotate', 'rsa-pss-sha512'],
      ['new', 'tps-rotate', 'ed25519'],
    ]);
    const verified = signatures.map((signature) =>
      verifySignature(signature, KEYS[signature.algorithm].publicKey),
    );
    expect(await Promise.all(verified)).toEqual([true, true]);
    const [old, fresh] = signatures;
    if (old === undefined || fresh === undefined) {
      throw new Error('expected two signatures');
    }
    expect(old.nonce).not.toBe(fresh.nonce);
    expect(await verifySignature({ ...fresh, value: old.value }, KEYS.ed25519.publicKey)).toBe(false);
    expect(await verifySignature({ ...fresh, base: old.base }, KEYS.ed25519.publicKey)).toBe(false);
    expect(await verifySignature(fresh, KEYS['rsa-pss-sha512'].publicKey)).toBe(false);
  });

  test('covers further components, which then cannot be changed', async () => {
    const components = ['@method', '@authority', '@path', '@query', 'content-digest', 'content-type'];
    const target = {
      path: '/events',
      query: 'tenant_id=tnt_1',
      authority: 'tps.example:8443',
      scheme: 'https',
    };
    const fields = { 'content-type': 'application/json' };
    const headers = await signRequest(
      { ...target, method: 'POST', body: BODY, headers: { 'Content-Type': 'application/json' } },
      signerFor('ed25519', { components }),
    );
    const { publicKey } = KEYS.ed25519;
    const check = (changedTarget: object, changedFields: object) => {
      const message = toMessage({ ...fields, ...headers, ...changedFields }, { ...target, ...changedTarget });
      return verifySignature(onlySignature(message), publicKey);
    };
    expect(await check({}, {})).toBe(true);
    expect(await check({ query: 'tenant_id=tnt_2' }, {})).toBe(false);
    expect(await check({ authority: 'other.example:8443' }, {})).toBe(false);
    expect(await check({}, { 'content-type': 'text/plain' })).toBe(false);
  });

  test.each<[string, Partial<Parameters<typeof signerFor>[1]>, SignatureAlgorithm]>([
    ['an algorithm that does not match the key', { privateKey: KEYS.ed25519.privateKey }, 'rsa-pss-sha512'],
    ['a public key', { privateKey: createPublicKey(KEYS.ed25519.privateKey) }, 'ed25519'],
    ['a covered header that the request does not have', { components: ['@path', 'x-absent'] }, 'ed25519'],
    ['a component covered twice', { components: ['@path', '@path'] }, 'ed25519'],
  ])('refuses %s', async (_, overrides, algorithm) => {
    await expect(signRequest(request, signerFor(algorithm, overrides))).rejects.toThrow(SignatureError);
  });

  test('refuses a request without a signer and two signers with one label', async () => {
    await expect(signRequest(request, [])).rejects.toThrow(/at least one signer/);
    const twins = [signerFor('ed25519'), signerFor('ecdsa-p256-sha256')];
    await expect(signRequest(request, twins)).rejects.toThrow(/a different label/);
  });
});

import { constants, type KeyObject, sign, verify } from 'node:crypto';
import { httpbis, type SigningKey } from 'http-message-signatures';
import { describe, expect, test } from 'vitest';
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from '../algorithms.ts';
import { contentDigest } from '../content-digest.ts';
import { parseSignatures } from '../parse-signatures.ts';
import { BODY, KEYS, NONCE, signerFor, toMessage } from '../testing/signed-request.ts';
import { signRequest } from './sign-request.ts';
import { verifySignature } from './verify-signature.ts';

// The other implementation builds the base and the headers. The cryptography is written out here a second time,
// because its PSS signer uses the maximum salt length and not the 64 bytes of RFC 9421 §3.3.1.
function keyInput(algorithm: SignatureAlgorithm, key: KeyObject) {
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return {
    'rsa-v1_5-sha256': { hash: 'sha256', key: { key } },
    'rsa-pss-sha512': { hash: 'sha512', key: { key, ...pss } },
    'ecdsa-p256-sha256': { hash: 'sha256', key: { key, dsaEncoding: 'ieee-p1363' as const } },
    ed25519: { hash: null, key: { key } },
  }[algorithm];
}

const URL = 'https://tps.example/api/events?tenant_id=tnt_1';
const TARGET = { path: '/api/events', query: 'tenant_id=tnt_1', authority: 'tps.example', scheme: 'https' };

describe.each(SIGNATURE_ALGORITHMS)('with %s', (algorithm) => {
  test('a request signed by http-message-signatures verifies here', async () => {
    const input = keyInput(algorithm, KEYS[algorithm].privateKey);
    const key: SigningKey = {
      id: 'dev_1',
      alg: algorithm,
      sign: async (data) => sign(input.hash, data, input.key),
    };
    const signed = await httpbis.signMessage(
      {
        key,
        name: 'tps',
        fields: [
          '@method',
          '@path',
          '@query',
          '@authority',
          '@scheme',
          '@target-uri',
          'content-digest',
          'content-type',
        ],
        params: ['tag', 'created', 'expires', 'nonce', 'keyid', 'alg'],
        paramValues: { nonce: NONCE, tag: 'tps-event' },
      },
      {
        method: 'POST',
        url: URL,
        headers: { 'content-type': 'application/json', 'content-digest': contentDigest(BODY) },
      },
    );
    const headers = Object.entries(signed.headers).map(([name, value]) => [
      name.toLowerCase(),
      String(value),
    ]);
    const [signature] = parseSignatures(toMessage(Object.fromEntries(headers), TARGET));
    expect(signature).toMatchObject({ keyId: 'dev_1', algorithm, nonce: NONCE, tag: 'tps-event' });
    expect(signature && (await verifySignature(signature, KEYS[algorithm].publicKey))).toBe(true);
  });

  test('a request signed here verifies with http-message-signatures, and not after a change', async () => {
    const headers = await signRequest({ ...TARGET, method: 'POST', body: BODY }, signerFor(algorithm));
    const input = keyInput(algorithm, KEYS[algorithm].publicKey);
    const accepts = (method: string, url: string, digest = headers['content-digest']) =>
      httpbis.verifyMessage(
        {
          keyLookup: async ({ keyid }) =>
            keyid === 'dev_1'
              ? {
                  id: 'dev_1',
                  algs: [algorithm],
                  verify: async (data, value) => verify(input.hash, data, input.key, value),
                }
              : null,
          requiredFields: ['@method', '@path', 'content-digest'],
          requiredParams: ['created', 'nonce', 'keyid', 'alg', 'tag'],
          tolerance: 5,
        },
        { method, url, headers: { ...headers, 'content-digest': digest } },
      );
    expect(await accepts('POST', URL)).toBe(true);
    expect(await accepts('PUT', URL)).toBe(false);
    expect(await accepts('POST', URL.replace('events', 'event'))).toBe(false);
    expect(await accepts('POST', URL, contentDigest(Buffer.from('{}')))).toBe(false);
  });
});

import { createPublicKey } from 'node:crypto';
import { isInnerList, parseDictionary, serializeInnerList } from 'structured-headers';
import { describe, expect, test } from 'vitest';
import type { SignatureAlgorithm } from '../algorithms.ts';
import { buildSignatureBase, type SignedMessage } from '../signature-base.ts';
import { verifySignature } from './verify-signature.ts';

const FIELDS: Readonly<Record<string, string>> = {
  date: 'Tue, 20 Apr 2021 02:07:55 GMT',
  'content-type': 'application/json',
  'content-digest':
    'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
  'content-length': '18',
};

/** The request of RFC 9421 Appendix B.2. */
const REQUEST: SignedMessage = {
  method: 'POST',
  path: '/foo',
  query: 'param=Value&Pet=dog',
  authority: 'example.com',
  scheme: 'https',
  header: (name) => FIELDS[name],
};

const INPUT_B23 =
  'sig-b23=("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"';
const BASE_B23 = `"date": Tue, 20 Apr 2021 02:07:55 GMT
"@method": POST
"@path": /foo
"@query": ?param=Value&Pet=dog
"@authority": example.com
"content-type": application/json
"content-digest": sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
"content-length": 18
"@signature-params": ("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"`;

// Covers a response, which this profile never signs, so only the cryptography is checked.
const BASE_B24 = `"@status": 200
"content-type": application/json
"content-digest": sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:
"content-length": 23
"@signature-params": ("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"`;

const INPUT_B26 =
  'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"';
const BASE_B26 = `"date": Tue, 20 Apr 2021 02:07:55 GMT
"@method": POST
"@path": /foo
"@authority": example.com
"content-type": application/json
"content-length": 18
"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"`;

interface Vector {
  readonly section: string;
  readonly algorithm: SignatureAlgorithm;
  readonly base: string;
  readonly spki: string;
  readonly signature: string;
}

const VECTORS: readonly Vector[] = [
  {
    section: 'B.2.3',
    algorithm: 'rsa-pss-sha512',
    base: BASE_B23,
    spki: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2+QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHqgDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5WUtzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI2wIDAQAB',
    signature:
      'bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2voTp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA==',
  },
  {
    section: 'B.2.4',
    algorithm: 'ecdsa-p256-sha256',
    base: BASE_B24,
    spki: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lfw0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==',
    signature: 'wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==',
  },
  {
    section: 'B.2.6',
    algorithm: 'ed25519',
    base: BASE_B26,
    spki: 'MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=',
    signature: 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
  },
];

function rebuild(input: string): string {
  const member = [...parseDictionary(input).values()][0];
  if (member === undefined || !isInnerList(member)) {
    throw new Error('not an inner list');
  }
  return buildSignatureBase(
    REQUEST,
    member[0].map(([name]) => String(name)),
    serializeInnerList(member),
  );
}

describe('RFC 9421 Appendix B', () => {
  test('the base of B.2.3 is rebuilt byte for byte', () => {
    expect(rebuild(INPUT_B23)).toBe(BASE_B23);
  });

  test('the base of B.2.6 is rebuilt byte for byte', () => {
    expect(rebuild(INPUT_B26)).toBe(BASE_B26);
  });

  test.each(VECTORS)(
    'the published signature of $section verifies, and not over a changed base',
    async (vector) => {
      const key = createPublicKey({ key: Buffer.from(vector.spki, 'base64'), format: 'der', type: 'spki' });
      const signature = { ...vector, value: Buffer.from(vector.signature, 'base64') };
      expect(await verifySignature(signature, key)).toBe(true);
      expect(
        await verifySignature(
          { ...signature, base: vector.base.replace('18', '19').replace('23', '24') },
          key,
        ),
      ).toBe(false);
    },
  );
});

describe('RFC 9421 §2.2', () => {
  const values = (message: SignedMessage, ...names: string[]) =>
    buildSignatureBase(message, names, '()').split('\n').slice(0, -1);

  test('the derived components have the values of the examples', () => {
    const message = { ...REQUEST, path: '/path', query: 'param=value', authority: 'www.example.com' };
    expect(
      values(
        message,
        '@method',
        '@target-uri',
        '@authority',
        '@scheme',
        '@request-target',
        '@path',
        '@query',
      ),
    ).toEqual([
      '"@method": POST',
      '"@target-uri": https://www.example.com/path?param=value',
      '"@authority": www.example.com',
      '"@scheme": https',
      '"@request-target": /path?param=value',
      '"@path": /path',
      '"@query": ?param=value',
    ]);
  });

  test('an empty path is a slash; a missing and an empty query are both a question mark', () => {
    expect(values({ ...REQUEST, path: '' }, '@path')).toEqual(['"@path": /']);
    expect(values({ ...REQUEST, query: undefined }, '@query')).toEqual(['"@query": ?']);
    expect(values({ ...REQUEST, query: '' }, '@query')).toEqual(['"@query": ?']);
  });

  test('an authority is lower case and loses only the default port of its scheme', () => {
    expect(values({ ...REQUEST, authority: 'EXAMPLE.com:443' }, '@authority')).toEqual([
      '"@authority": example.com',
    ]);
    expect(values({ ...REQUEST, authority: '[2001:db8::1]:8443' }, '@authority')).toEqual([
      '"@authority": [2001:db8::1]:8443',
    ]);
    expect(values({ ...REQUEST, authority: 'example.com:443', scheme: 'http' }, '@authority')).toEqual([
      '"@authority": example.com:443',
    ]);
  });
});

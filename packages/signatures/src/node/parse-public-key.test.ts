import { createPublicKey, ECDH, generateKeyPairSync, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KEYS } from '../testing/signed-request.ts';
import { algorithmsFor } from './key-algorithms.ts';
import { PublicKeyError, parsePublicKey } from './parse-public-key.ts';

const der = (key: KeyObject) => key.export({ type: 'spki', format: 'der' });
const b64 = (key: KeyObject) => der(key).toString('base64');

const RSA = KEYS['rsa-pss-sha512'].publicKey;
const P256 = KEYS['ecdsa-p256-sha256'].publicKey;
const ED25519 = KEYS.ed25519.publicKey;

/** An RSA public key with the given exponent and the modulus of a real key. */
function rsaWithExponent(hex: string): string {
  const { n = '' } = RSA.export({ format: 'jwk' });
  const e = Buffer.from(hex, 'hex').toString('base64url');
  return b64(createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' }));
}

function compressedP256(): string {
  const point = der(P256).subarray(-65);
  const compressed = ECDH.convertKey(point, 'prime256v1', undefined, undefined, 'compressed') as Buffer;
  const header = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex');
  return Buffer.concat([header, compressed]).toString('base64');
}

describe('parsePublicKey', () => {
  test.each([
    ['RSA', RSA, ['rsa-v1_5-sha256', 'rsa-pss-sha512']],
    ['P-256', P256, ['ecdsa-p256-sha256']],
    ['Ed25519', ED25519, ['ed25519']],
  ] as const)('parses %s and allows exactly its algorithms', (_, key, algorithms) => {
    const parsed = parsePublicKey(b64(key));
    expect(parsed.equals(key)).toBe(true);
    expect(algorithmsFor(parsed)).toEqual(algorithms);
  });

  test.each([
    ['an empty string', '', /base64/],
    ['an overlong string', 'A'.repeat(1028), /1024 characters/],
    ['base64url', b64(RSA).replaceAll('+', '-').replaceAll('/', '_'), /canonical base64/],
    ['missing padding', b64(ED25519).replace('=', ''), /canonical base64/],
    ['stray bits before the padding', b64(ED25519).replace(/.=$/, '9='), /canonical/],
    ['a line break', `${b64(ED25519)}\n`, /canonical base64/],
    ['PEM', String(RSA.export({ type: 'spki', format: 'pem' })), /canonical base64/],
    ['bytes that are not a key', Buffer.from('not a key').toString('base64'), /SubjectPublicKeyInfo/],
    ['PKCS#1', RSA.export({ type: 'pkcs1', format: 'der' }).toString('base64'), /SubjectPublicKeyInfo/],
    [
      'a private key',
      KEYS.ed25519.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
      /SubjectPublicKeyInfo/,
    ],
    ['trailing bytes', Buffer.concat([der(RSA), Buffer.of(0)]).toString('base64'), /bytes follow/],
    ['RSA of 2047 bits', b64(generateKeyPairSync('rsa', { modulusLength: 2047 }).publicKey), /2048 to 4096/],
    ['RSA of 1024 bits', b64(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey), /2048 to 4096/],
    ['RSA with exponent 3', rsaWithExponent('03'), /exponent/],
    ['RSA with an even exponent', rsaWithExponent('010002'), /exponent/],
    ['RSA with exponent 2^64 + 1', rsaWithExponent('010000000000000001'), /exponent/],
    [
      'RSA marked as PSS only',
      b64(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey),
      /rsaEncryption/,
    ],
    ['P-384', b64(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey), /neither/],
    ['secp256k1', b64(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey), /neither/],
    [
      'P-256 with explicit parameters',
      b64(generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' }).publicKey),
      /name its curve/,
    ],
    ['P-256 with a compressed point', compressedP256(), /uncompressed/],
    ['Ed448', b64(generateKeyPairSync('ed448').publicKey), /neither/],
    ['X25519', b64(generateKeyPairSync('x25519').publicKey), /neither/],
  ])('refuses %s and says why', (_, text, message) => {
    expect(() => parsePublicKey(text)).toThrow(PublicKeyError);
    expect(() => parsePublicKey(text)).toThrow(message);
  });

  test('refuses RSA beyond 4096 bits', () => {
    // Any odd number of this length can be the modulus: the bound is checked before the key is used.
    const n = Buffer.alloc(640, 0xff).toString('base64url');
    const key = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' });
    expect(() => parsePublicKey(b64(key))).toThrow(/2048 to 4096/);
  });

  test('throws only PublicKeyError for any string, and never quotes it', () => {
    const mutated = fc
      .tuple(fc.constantFrom(der(RSA), der(P256), der(ED25519)), fc.nat(), fc.integer({ min: 0, max: 255 }))
      .map(([original, at, byte]) => {
        const copy = Buffer.from(original);
        copy.writeUInt8(byte, at % copy.length);
        return copy.toString('base64');
      });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), mutated), (text) => {
        try {
          parsePublicKey(text);
        } catch (error) {
          expect(error).toBeInstanceOf(PublicKeyError);
          expect(text.length > 8 && String(error).includes(text)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('algorithmsFor', () => {
  test('returns no algorithm for a key outside the profile', () => {
    expect(algorithmsFor(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey)).toEqual([]);
    expect(algorithmsFor(generateKeyPairSync('ed448').publicKey)).toEqual([]);
    expect(algorithmsFor(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey)).toEqual([]);
  });
});

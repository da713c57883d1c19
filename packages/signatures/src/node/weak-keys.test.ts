import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PublicKeyError, parsePublicKey } from './parse-public-key.ts';
import { verifySignature } from './verify-signature.ts';

const ED25519_HEADER = Buffer.from('302a300506032b6570032100', 'hex');
const ed25519 = (pointHex: string) =>
  Buffer.concat([ED25519_HEADER, Buffer.from(pointHex, 'hex')]).toString('base64');

/** Every encoding of the eight points of small order, as listed in "Taming the many EdDSAs" (ePrint 2020/1244), table 1. */
const SMALL_ORDER = [
  `01${'00'.repeat(31)}`,
  `01${'00'.repeat(30)}80`,
  `ec${'ff'.repeat(30)}7f`,
  `ec${'ff'.repeat(31)}`,
  '00'.repeat(32),
  `${'00'.repeat(31)}80`,
  `ed${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(31)}`,
  `ee${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(31)}`,
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
];

/** The other y-coordinates that fit into 255 bits although they are not below 2^255 - 19. */
const NOT_REDUCED = Array.from({ length: 17 }, (_, above) => (0xef + above).toString(16)).flatMap((first) => [
  `${first}${'ff'.repeat(30)}7f`,
  `${first}${'ff'.repeat(31)}`,
]);

/** A key with this modulus. OpenSSL imports it as it is, because it does not look for factors. */
function rsaWith(modulus: bigint): string {
  const n = Buffer.from(modulus.toString(16), 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' });
  return key.export({ type: 'spki', format: 'der' }).toString('base64');
}

const soundModulus = () => {
  const { n = '' } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
  return BigInt(`0x${Buffer.from(n, 'base64url').toString('hex')}`);
};

describe('parsePublicKey refuses', () => {
  test.each(SMALL_ORDER)('the Ed25519 point of small order %s', (point) => {
    expect(() => parsePublicKey(ed25519(point))).toThrow(PublicKeyError);
    expect(() => parsePublicKey(ed25519(point))).toThrow(/small order|canonical/);
  });

  test('every Ed25519 y-coordinate that is not reduced', () => {
    for (const point of NOT_REDUCED) expect(() => parsePublicKey(ed25519(point)), point).toThrow(/canonical/);
  });

  test.each([6, 7])('a P-256 point in the hybrid form %d', (form) => {
    // The form repeats whether y is odd: one in two keys has a valid hybrid encoding of either form.
    for (;;) {
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const der = publicKey.export({ type: 'spki', format: 'der' });
      if (((der.at(-1) ?? 0) & 1) !== (form & 1)) continue;
      der[26] = form;
      expect(() => parsePublicKey(der.toString('base64'))).toThrow(/uncompressed/);
      return;
    }
  });

  test('the P-256 point at infinity, and a point beside the curve', () => {
    const infinity = '3019301306072a8648ce3d020106082a8648ce3d03010703020000';
    expect(() => parsePublicKey(Buffer.from(infinity, 'hex').toString('base64'))).toThrow(PublicKeyError);
    const der = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
      type: 'spki',
      format: 'der',
    });
    der[90] = (der[90] ?? 0) ^ 1;
    expect(() => parsePublicKey(der.toString('base64'))).toThrow(/SubjectPublicKeyInfo/);
  });

  test.each([
    ['an Ed25519 identifier with parameters', '302c300706032b6570050003210', `0${'66'.repeat(31)}58`],
    ['a wrong count of unused bits', '302a300506032b6570032101', `58${'66'.repeat(31)}`],
    ['a length in long form', '30812a300506032b6570032100', `58${'66'.repeat(31)}`],
  ])('a SubjectPublicKeyInfo with %s', (_, header, point) => {
    expect(() => parsePublicKey(Buffer.from(header + point, 'hex').toString('base64'))).toThrow(
      PublicKeyError,
    );
  });

  test('an RSA identifier without its NULL parameters', () => {
    const der = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
      type: 'spki',
      format: 'der',
    });
    const changed = Buffer.concat([der.subarray(0, 17), der.subarray(19)]);
    changed.writeUInt16BE(der.readUInt16BE(2) - 2, 2);
    changed[5] = 0x0b;
    expect(() => parsePublicKey(changed.toString('base64'))).toThrow(PublicKeyError);
  });

  test.each([2n, 3n, 5n, 257n, 751n])('an RSA modulus with the factor %d', (factor) => {
    const modulus = 2n ** 2047n + 1n;
    expect(() => parsePublicKey(rsaWith(modulus - (modulus % factor) + factor))).toThrow(/factor/);
  });

  test('an RSA modulus with the fingerprint of ROCA', () => {
    const primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83];
    primes.push(89, 97, 101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167);
    // Nemec et al. 2017, section 2.1: p = k·M + (65537^a mod M), with M the product of the first 39 primes.
    const product = primes.map(BigInt).reduce((result, prime) => result * prime, 1n);
    const base = 65_537n ** 25n % product;
    let modulus = (2n ** 2047n / product + 1n) * product + base;
    // No factor from 173 to 751 either: those are refused for another reason.
    while (Array.from({ length: 580 }, (_, index) => BigInt(172 + index)).some((q) => modulus % q === 0n)) {
      modulus += product;
    }
    expect(() => parsePublicKey(rsaWith(modulus))).toThrow(/ROCA/);
  });

  test('no sound RSA key', () => {
    for (let count = 0; count < 5; count += 1) {
      expect(() => parsePublicKey(rsaWith(soundModulus()))).not.toThrow();
    }
  });
});

/**
 * Vectors of "Taming the many EdDSAs" (https://github.com/novifinancial/ed25519-speccheck, cases 3 to 9), which all use keys
 * that are not of small order. Node 22 and 24 agree on them. They differ on keys of small order: Node 22 accepts, for
 * instance, R = identity and S = 0 under the identity for any message, and Node 24 does not.
 */
const CASES = [
  [
    'of mixed order that satisfies the equation without the cofactor',
    '9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79',
    'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    '9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009',
    true,
  ],
  [
    'that satisfies only the equation with the cofactor',
    'e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c',
    'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    '160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09',
    false,
  ],
  [
    'that satisfies the equation with the cofactor only if the hash is reduced late',
    'e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c',
    'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    '21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405',
    false,
  ],
  [
    'with S above L',
    '85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40',
    '442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623',
    'e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514',
    false,
  ],
  [
    'with S far above L',
    '85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40',
    '442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623',
    '8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa19427e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22',
    false,
  ],
  [
    'with an R that is not canonical, hashed as sent',
    'fdaebc429f4a735932a160da1301080c13280eea8bc280d1b392c6b9e6ba3a5a',
    'f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f454d370c8d9fc323a41450f8d513eafeb5b0697390c1e505a0d4ddc71f566607',
    false,
  ],
  [
    'with an R that is not canonical, hashed reduced',
    '84b698d39be126ff55fe45079e6c8bf64a0d7db6994560b4e96b7021eb39c1a1',
    'f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f084d5b99c2a9463d9c8bd5026916996984eeec87ddf1d3be329006ace1b37b09',
    false,
  ],
] as const;

const verifyHex = (message: string, publicKey: string, signature: string) =>
  verifySignature(
    {
      algorithm: 'ed25519',
      base: Buffer.from(message, 'hex').toString('latin1'),
      value: Buffer.from(signature, 'hex'),
    },
    parsePublicKey(ed25519(publicKey)),
  );

describe('an Ed25519 signature', () => {
  test.each(CASES)('%s has one verdict', async (_, message, publicKey, signature, expected) => {
    expect(await verifyHex(message, publicKey, signature)).toBe(expected);
  });

  test('cannot be changed into a second one by adding L to S', async () => {
    const [, message, publicKey, signature] = CASES[0];
    const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
    const value = Buffer.from(signature, 'hex');
    const s = BigInt(`0x${Buffer.from(value.subarray(32)).reverse().toString('hex')}`) + order;
    const changed = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
    const forged = Buffer.concat([value.subarray(0, 32), changed]).toString('hex');
    expect(await verifyHex(message, publicKey, forged)).toBe(false);
  });
});

import { generateKeyPairSync, type KeyObject, constants as rsa, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from '../algorithms.ts';
import { verifyContentDigest } from '../content-digest.ts';
import type { SignedMessage } from '../signature-base.ts';
import { BODY, KEYS, onlySignature, signedMessage, signerFor } from '../testing/signed-request.ts';
import { verifySignature } from './verify-signature.ts';

const otherRsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
const OTHER_KEYS = {
  'rsa-v1_5-sha256': otherRsa,
  'rsa-pss-sha512': otherRsa,
  'ecdsa-p256-sha256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey,
  ed25519: () => generateKeyPairSync('ed25519').publicKey,
} satisfies Record<SignatureAlgorithm, () => KeyObject>;

describe.each(SIGNATURE_ALGORITHMS)('a request signed with %s', (algorithm) => {
  const { publicKey } = KEYS[algorithm];
  const sent = signedMessage(signerFor(algorithm));

  const verifies = async (changes: Partial<SignedMessage>) =>
    verifySignature(onlySignature({ ...(await sent), ...changes }), publicKey);

  /** Replaces text in one header. Fails if the text is missing, so that no test passes by mistake. */
  const verifiesWith = async (name: string, from: string | RegExp, to: string) => {
    const message = await sent;
    const header = message.header(name) ?? '';
    const changed = header.replace(from, to);
    expect(changed).not.toBe(header);
    return verifies({ header: (asked) => (asked === name ? changed : message.header(asked)) });
  };

  test('verifies with its key and carries the digest of its body', async () => {
    expect(await verifies({})).toBe(true);
    expect(verifyContentDigest((await sent).header('content-digest'), BODY)).toBe(true);
  });

  test('does not verify with the key of another device', async () => {
    const key = OTHER_KEYS[algorithm]();
    expect(await verifySignature(onlySignature(await sent), key)).toBe(false);
  });

  test('does not verify for another method, path or digest', async () => {
    expect(await verifies({ method: 'PUT' })).toBe(false);
    expect(await verifies({ method: 'post' })).toBe(false);
    expect(await verifies({ path: '/event' })).toBe(false);
    expect(await verifies({ path: '/events/' })).toBe(false);
    expect(await verifiesWith('content-digest', /:./, ':/')).toBe(false);
  });

  test('does not verify after a signature parameter was changed, moved or added', async () => {
    expect(await verifiesWith('signature-input', /created=\d/, 'created=2')).toBe(false);
    expect(await verifiesWith('signature-input', 'nonce="', 'nonce="A')).toBe(false);
    expect(await verifiesWith('signature-input', 'dev_1', 'dev_2')).toBe(false);
    expect(await verifiesWith('signature-input', 'tps-event', 'tps-register')).toBe(false);
    expect(await verifiesWith('signature-input', /(;keyid="[^"]*")(;alg="[^"]*")/, '$2$1')).toBe(false);
    expect(await verifiesWith('signature-input', /$/, ';expires=4102444800')).toBe(false);
    expect(await verifiesWith('signature-input', '"@method" "@path"', '"@path" "@method"')).toBe(false);
  });

  test('does not verify under any other algorithm', async () => {
    const signature = onlySignature(await sent);
    for (const other of SIGNATURE_ALGORITHMS.filter((name) => name !== algorithm)) {
      expect(await verifySignature({ ...signature, algorithm: other }, publicKey)).toBe(false);
      expect(await verifySignature(signature, KEYS[other].publicKey)).toBe(
        KEYS[other].publicKey === publicKey,
      );
    }
  });

  test('does not verify with a value that is changed, shortened, lengthened or malformed', async () => {
    const signature = onlySignature(await sent);
    const { value } = signature;
    const flipped = Uint8Array.from(value, (byte, index) => (index === value.length - 1 ? byte ^ 1 : byte));
    const forged = [
      flipped,
      value.subarray(1),
      Buffer.concat([value, Buffer.of(0)]),
      new Uint8Array(value.length),
      new Uint8Array(value.length).fill(0xff),
      Buffer.from(value).toReversed(),
    ];
    for (const attempt of forged) {
      expect(await verifySignature({ ...signature, value: attempt }, publicKey)).toBe(false);
    }
  });
});

describe('verifySignature', () => {
  const base = '"@method": POST';
  const bytes = Buffer.from(base);
  const rsaKeys = KEYS['rsa-pss-sha512'];

  test('refuses an ECDSA signature in DER with correct numbers', async () => {
    const { privateKey, publicKey } = KEYS['ecdsa-p256-sha256'];
    const der = sign('sha256', bytes, privateKey);
    const raw = sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    expect(await verifySignature({ algorithm: 'ecdsa-p256-sha256', base, value: der }, publicKey)).toBe(
      false,
    );
    expect(await verifySignature({ algorithm: 'ecdsa-p256-sha256', base, value: raw }, publicKey)).toBe(true);
  });

  test.each([
    [64, true],
    [32, false],
    [0, false],
    [rsa.RSA_PSS_SALTLEN_MAX_SIGN, false],
  ])('accepts rsa-pss-sha512 with a salt of %i: %s', async (saltLength, expected) => {
    const value = sign('sha512', bytes, {
      key: rsaKeys.privateKey,
      padding: rsa.RSA_PKCS1_PSS_PADDING,
      saltLength,
    });
    expect(await verifySignature({ algorithm: 'rsa-pss-sha512', base, value }, rsaKeys.publicKey)).toBe(
      expected,
    );
  });

  test('refuses an RSA signature without its leading zero byte', async () => {
    const signWith = (text: string) =>
      sign('sha512', Buffer.from(text), {
        key: rsaKeys.privateKey,
        padding: rsa.RSA_PKCS1_PSS_PADDING,
        saltLength: 64,
      });
    let value = signWith(base);
    // One in 256 begins with a zero byte: 8000 without one are as likely as drawing 45 zero bits.
    for (let tries = 0; value[0] !== 0 && tries < 8000; tries += 1) value = signWith(base);
    const verifies = (bytes: Uint8Array) =>
      verifySignature({ algorithm: 'rsa-pss-sha512', base, value: bytes }, rsaKeys.publicKey);
    expect(value[0]).toBe(0);
    expect(await verifies(value)).toBe(true);
    expect(await verifies(value.subarray(1))).toBe(false);
  });

  test('refuses a genuine signature by an RSA key of 1024 bits', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const value = sign('sha256', bytes, privateKey);
    expect(await verifySignature({ algorithm: 'rsa-v1_5-sha256', base, value }, publicKey)).toBe(false);
  });

  test.each([{ modulusLength: 3072 }, { modulusLength: 2048, publicExponent: 0x10_00_01_01 }])(
    'verifies an RSA key with %o on the thread pool',
    async (options) => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', options);
      const value = sign('sha256', bytes, privateKey);
      const verifies = (text: string) =>
        verifySignature({ algorithm: 'rsa-v1_5-sha256', base: text, value }, publicKey);
      expect(await verifies(base)).toBe(true);
      expect(await verifies(`${base} `)).toBe(false);
    },
  );

  test('refuses a genuine ECDSA signature on another curve', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const value = sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    expect(await verifySignature({ algorithm: 'ecdsa-p256-sha256', base, value }, publicKey)).toBe(false);
  });
});

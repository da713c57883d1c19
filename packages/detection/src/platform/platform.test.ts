import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as nativeBase64 from './base64.node.ts';
import * as base64 from './base64.ts';
import * as nativeDigest from './digest.node.ts';
import * as digest from './digest.ts';
import * as nativeInflate from './inflate.node.ts';
import * as inflate from './inflate.ts';
import * as nativeKey from './verifying-key.node.ts';
import * as key from './verifying-key.ts';

test('without Node, digests are those of Node', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 300 })), (data) => {
      expect(digest.sha256Hex(data)).toBe(nativeDigest.sha256Hex(data));
      expect([...digest.sha256(data)]).toEqual([...nativeDigest.sha256(data)]);
    }),
  );
});

test('without Node, base64 is read in both alphabets as Node does', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.constantFrom('base64', 'base64url'), (bytes, alphabet) => {
      const text = Buffer.from(bytes).toString(alphabet);
      for (const { fromBase64 } of [base64, nativeBase64]) expect([...fromBase64(text)]).toEqual([...bytes]);
    }),
  );
});

test.each([
  ['on Node', nativeInflate.inflateRaw],
  ['without Node', inflate.inflateRaw],
])('%s, what inflates to more than the limit or is damaged is refused', (_, inflateRaw) => {
  const content = Buffer.from('indicator '.repeat(10_000));
  const deflated = deflateRawSync(content);
  expect(Buffer.from(inflateRaw(deflated, content.length)).equals(content)).toBe(true);
  expect(Buffer.from(inflateRaw(deflated, content.length + 5)).equals(content)).toBe(true);
  expect(() => inflateRaw(deflated, content.length - 1)).toThrow();
  expect(() => inflateRaw(deflated.subarray(0, -4), content.length)).toThrow();
  expect(() => inflateRaw(Buffer.from([7, 7, 7, 7]), content.length)).toThrow();
});

const spkiOf = ({ publicKey }: { publicKey: KeyObject }) =>
  publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

test.each([
  ['on Node', nativeKey.importVerifyingKey],
  ['without Node', key.importVerifyingKey],
])(
  '%s, an Ed25519 key verifies its signatures, and no other key is imported',
  async (_, importVerifyingKey) => {
    const pair = generateKeyPairSync('ed25519');
    const bytes = new TextEncoder().encode('signed');
    const signature = Uint8Array.from(sign(null, bytes, pair.privateKey));
    const verify = await importVerifyingKey(spkiOf(pair));
    expect(await verify?.(bytes, signature)).toBe(true);
    expect(
      await verify?.(
        bytes,
        signature.map((byte) => byte ^ 1),
      ),
    ).toBe(false);
    expect(await verify?.(new TextEncoder().encode('changed'), signature)).toBe(false);
    expect(await verify?.(bytes, new Uint8Array(3))).toBe(false);
    const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    for (const text of [spkiOf(p256), 'no key', '', spkiOf(pair).slice(4)]) {
      expect(await importVerifyingKey(text)).toBeUndefined();
    }
  },
);

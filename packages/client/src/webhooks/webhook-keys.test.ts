import { expect, test } from 'vitest';
import { assertSecrets, importWebhookKeys, isSignedByAny } from './webhook-keys.ts';

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const text = (value: string) => new TextEncoder().encode(value);
const standardSecret = (keyHex: string) => `whsec_${Buffer.from(keyHex, 'hex').toString('base64')}`;

/** RFC 4231, section 4. Not all keys are valid text, so they are passed in the form `whsec_<base64>`. */
const RFC_4231 = [
  {
    keyHex: '0b'.repeat(20),
    data: text('Hi There'),
    macHex: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  },
  {
    keyHex: Buffer.from('Jefe').toString('hex'),
    data: text('what do ya want for nothing?'),
    macHex: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  },
  {
    keyHex: 'aa'.repeat(20),
    data: bytes('dd'.repeat(50)),
    macHex: '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
  },
  {
    keyHex: '0102030405060708090a0b0c0d0e0f10111213141516171819',
    data: bytes('cd'.repeat(50)),
    macHex: '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  },
  {
    keyHex: 'aa'.repeat(131),
    data: text('Test Using Larger Than Block-Size Key - Hash Key First'),
    macHex: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  },
];

test.each(RFC_4231)(
  'the vector of RFC 4231 with the key $keyHex verifies',
  async ({ keyHex, data, macHex }) => {
    const { standard } = await importWebhookKeys([standardSecret(keyHex)]);
    expect(await isSignedByAny(standard, [bytes(macHex)], data)).toBe(true);
    expect(await isSignedByAny(standard, [bytes(macHex).with(31, 0)], data)).toBe(false);
  },
);

test('the key of a secret is its UTF-8 bytes', async () => {
  const [, vector] = RFC_4231;
  const { body, standard } = await importWebhookKeys(['Jefe']);
  for (const keys of [body, standard]) {
    expect(await isSignedByAny(keys, [bytes(vector?.macHex ?? '')], vector?.data ?? text(''))).toBe(true);
  }
});

test('a whsec_ secret is used with all its characters for X-Service-Signature', async () => {
  // printf 'Hi There' | openssl dgst -sha256 -hmac whsec_SmVmZQ==
  const mac = bytes('e1c348d5cc712314199b25d314b10752385566ba3543be5a5a041a1b3782616b');
  const { body, standard } = await importWebhookKeys(['whsec_SmVmZQ==']);
  expect(await isSignedByAny(body, [mac], text('Hi There'))).toBe(true);
  expect(await isSignedByAny(standard, [mac], text('Hi There'))).toBe(false);
});

test.each([
  ['without its padding', 'whsec_SmVmZQ'],
  ['that ends in the middle of a byte', 'whsec_SmVmZ'],
  ['with characters that Base64 does not have', 'whsec_Sm-V_Z=='],
  ['with nothing after the prefix', 'whsec_'],
  ['with a line feed at its end', 'whsec_SmVmZQ==\n'],
])('a whsec_ secret %s is a TypeError, because no library could verify with it', (_, secret) => {
  expect(() => assertSecrets(['another-secret-0123456789', secret])).toThrow(TypeError);
});

test.each([
  'whsec_SmVmZQ==',
  standardSecret('aa'.repeat(24)),
  standardSecret('fb'.repeat(64)),
  'WHSEC_?',
  'whsec-?',
])('the secret %s is accepted', (secret) => {
  expect(() => assertSecrets([secret])).not.toThrow();
});

test('a prefix of the correct signature does not verify', async () => {
  const [, vector] = RFC_4231;
  const { body } = await importWebhookKeys(['Jefe']);
  for (const length of [0, 1, 31]) {
    const prefix = bytes(vector?.macHex ?? '').slice(0, length);
    expect(await isSignedByAny(body, [prefix], vector?.data ?? text(''))).toBe(false);
  }
});

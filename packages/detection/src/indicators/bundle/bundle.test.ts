import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Indicator } from '../indicator.ts';
import { BundleError, openBundle } from './bundle.ts';
import type { IndicatorBundle } from './bundle-payload.ts';
import { type DsseEnvelope, openEnvelope, preAuthenticationEncoding } from './dsse.ts';
import { signBundle, signEnvelope } from './sign-bundle.node.ts';

const NOW = Date.parse('2026-03-02T09:15:03.000Z');
const HOUR = 3_600_000;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

function indicator(value: string, parts: Partial<Indicator> = {}): Indicator {
  const source = 'test-list';
  return {
    type: 'domain',
    value,
    source,
    category: 'phishing',
    threatType: 'known_indicator',
    confidence: 0.9,
    ...parts,
  };
}

const BUNDLE: IndicatorBundle = {
  version: 7,
  tenantId: 'tnt_1',
  generatedAtMs: NOW,
  expiresAtMs: NOW + HOUR,
  indicators: [
    indicator('evil.example'),
    indicator('odd.example', { label: 'Campaign', validFromMs: NOW, validUntilMs: NOW + HOUR }),
    indicator('com.tool.app', {
      type: 'package',
      category: 'remote_control',
      threatType: 'remote_access_tool',
      confidence: 0.6,
      dualUse: true,
    }),
  ],
};
const toB64 = (key: KeyObject) => key.export({ type: 'spki', format: 'der' }).toString('base64');
const OPTIONS = { publicKeys: [toB64(publicKey)], tenantId: 'tnt_1', notOlderThanVersion: 7, nowMs: NOW };

async function refusalOf(envelope: unknown, options: Partial<typeof OPTIONS> = {}): Promise<string> {
  try {
    await openBundle(envelope, { ...OPTIONS, ...options });
    return 'opened';
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    return error.code;
  }
}

test('a signed bundle is read as it was written', async () => {
  const opened = await openBundle(JSON.parse(JSON.stringify(signBundle(BUNDLE, privateKey))), OPTIONS);
  expect(opened).toMatchObject({ version: 7, tenantId: 'tnt_1', expiresAtMs: NOW + HOUR });
  const byValue = (all: readonly Indicator[]) => new Map(all.map((each) => [each.value, each]));
  expect(byValue(opened.indicators)).toEqual(byValue(BUNDLE.indicators));
});

test('the same indicators in another order give the same envelope', () => {
  const reversed = { ...BUNDLE, indicators: [...BUNDLE.indicators].reverse() };
  expect(signBundle(reversed, privateKey)).toEqual(signBundle(BUNDLE, privateKey));
});

describe('a bundle is rejected', () => {
  const envelope = signBundle(BUNDLE, privateKey);

  test('when an untrusted key has signed it', async () => {
    const other = generateKeyPairSync('ed25519');
    expect(await refusalOf(signBundle(BUNDLE, other.privateKey))).toBe('not_signed');
    expect(await refusalOf(envelope, { publicKeys: [] })).toBe('not_signed');
    expect(await refusalOf(envelope, { publicKeys: [toB64(other.publicKey), toB64(publicKey)] })).toBe(
      'opened',
    );
  });

  test('when any byte of it was changed', async () => {
    const payload = Buffer.from(envelope.payload, 'base64');
    for (let at = 0; at < payload.length; at += 7) {
      const changed = Buffer.from(payload);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await refusalOf({ ...envelope, payload: changed.toString('base64') })).toBe('not_signed');
    }
  });

  test('when it was signed as something else', async () => {
    const payload = Buffer.from(envelope.payload, 'base64');
    const other = signEnvelope('application/json', payload, { privateKey, keyid: 'a' });
    expect(await refusalOf(other)).toBe('malformed');
    expect(await refusalOf({ ...other, payloadType: envelope.payloadType })).toBe('not_signed');
  });

  test("when it is another tenant's, older than an accepted one, or expired", async () => {
    expect(await refusalOf(envelope, { tenantId: 'tnt_2' })).toBe('other_tenant');
    expect(await refusalOf(envelope, { notOlderThanVersion: 8 })).toBe('rolled_back');
    expect(await refusalOf(envelope, { notOlderThanVersion: 6 })).toBe('opened');
    expect(await refusalOf(envelope, { nowMs: NOW + HOUR - 1 })).toBe('opened');
    expect(await refusalOf(envelope, { nowMs: NOW + HOUR })).toBe('expired');
  });

  test('when it is too large', async () => {
    expect(await refusalOf({ ...envelope, payload: 'A'.repeat(32 * 1024 * 1024 + 1) })).toBe('too_large');
  });

  test.each([
    undefined,
    null,
    'text',
    [],
    {},
    { ...envelope, payload: 7 },
    { ...envelope, signatures: [null] },
    { ...envelope, signatures: Array(9).fill(envelope.signatures[0]) },
  ])('when it is not an envelope: %#', async (value) => {
    expect(await refusalOf(value)).toBe('malformed');
  });

  test.each([
    '',
    '[]',
    '{"version":1}',
    JSON.stringify({ expires_at: 1, generated_at: 1, indicators: [], tenant_id: 'tnt_1', version: 7 }),
    bundleWith({ source: 'a', confidence: 2, category: 'phishing', threat_type: 'malware' }),
    bundleWith({ source: 'a', confidence: 1, category: 'phishing', threat_type: 'malware', url: 'x' }),
    bundleWith({ source: 'a', confidence: 1, category: 'phishing', threat_type: 'malware', url: [7] }),
  ])('when the signed content is not a bundle: %#', async (payload) => {
    expect(await refusalOf(sign(payload))).toBe('malformed');
  });
});

test('types that only a newer service knows are skipped, and the rest is valid', async () => {
  const known = {
    source: 'a',
    confidence: 1,
    category: 'phishing',
    threat_type: 'malware',
    url: ['a.example/'],
  };
  const payload = bundleWith(known, { ...known, threat_type: 'quishing' }, { ...known, category: 'odd' });
  expect((await openBundle(sign(payload), OPTIONS)).indicators).toHaveLength(1);
});

function bundleWith(...indicators: object[]): string {
  const times = { expires_at: new Date(NOW + HOUR).toISOString(), generated_at: new Date(NOW).toISOString() };
  return JSON.stringify({ ...times, indicators, tenant_id: 'tnt_1', version: 7 });
}

function sign(payload: string): DsseEnvelope {
  const { payloadType } = signBundle(BUNDLE, privateKey);
  return signEnvelope(payloadType, Buffer.from(payload), { privateKey, keyid: 'a' });
}

/** From `testvectors/vectors.json` of github.com/secure-systems-lab/dsse; the key is the first of RFC 8032, section 7.1. */
describe('the published vectors of DSSE', () => {
  const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
  const key = createPrivateKey({
    key: Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex'),
    format: 'der',
    type: 'pkcs8',
  });
  const IN_TOTO = 'application/vnd.in-toto+json';
  const STATEMENT = 'eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEifQ==';

  test.each([
    [
      IN_TOTO,
      STATEMENT,
      '2WAfaHm5jluo0w+0rk8uVkluELJYWjSmU9x7EUzx+AyteDGJ4/nqyJXfmAUVFIAoQafWm7AxBZNw5M9ixNHiCA==',
    ],
    [
      'application/vnd.exämple+json',
      STATEMENT,
      'xmSk/ug66ysT7ayhkCIjhAq42zgZXSsEWuzUaNL7w2eGAdF/NU6/fRXPtmfN+5DNSAs5/i2lUnHjbbjPsu0tAw==',
    ],
    [IN_TOTO, '', 'gSggCAaTLTYyRH6FIDBem6meyIynsYy8RTHVzwx9tnTb7Bg/1jMWnuVgI/gffqmbsC2VX5/jHfkkDqsj7CDbDg=='],
    [
      IN_TOTO,
      '-_-_Pj8=',
      'P-_KHICeR7tI6S_YyejJTRtrXhcQyQ2LYPaL8h90KjC9qN8HU_svOQ6TuDOT1HIrsGW886DbWNWcCmX5twLrAw==',
    ],
  ])('are signed and opened: %s, %s', async (payloadType, payload, sig) => {
    const bytes = Buffer.from(payload, 'base64');
    const made = signEnvelope(payloadType, bytes, { privateKey: key, keyid: 'A' });
    expect(Buffer.from(made.signatures[0]?.sig ?? '', 'base64')).toEqual(Buffer.from(sig, 'base64'));
    const envelope = { payloadType, payload, signatures: [{ sig }] };
    expect(await openEnvelope(envelope, [toB64(createPublicKey(key))])).toEqual(bytes);
    const other = { ...envelope, payloadType: 'application/other' };
    expect(await openEnvelope(other, [toB64(createPublicKey(key))])).toBe(undefined);
  });

  test('the signed bytes contain the lengths in bytes', () => {
    const encoded = preAuthenticationEncoding('http://example.com/HelloWorld', Buffer.from('hello world'));
    expect(Buffer.from(encoded).toString()).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
  });
});

import { describe, expect, it } from 'vitest';
import { hasKeyOf, inspectSample, sha256, signsOf } from '../files/testing/inspect-sample.ts';
import { readApkManifest } from './apk-manifest.ts';
import {
  buildApk,
  buildBinaryXml,
  buildCertificate,
  buildPkcs7,
  manifestOf,
  signApk,
} from './testing/build-apk.ts';

const MANIFEST = buildBinaryXml(
  manifestOf(
    'com.example.spy',
    ['android.permission.RECEIVE_SMS', 'android.permission.SYSTEM_ALERT_WINDOW'],
    ['android.permission.BIND_ACCESSIBILITY_SERVICE'],
  ),
);

describe('an Android app', () => {
  it('is looked up by its package name, and judged by what it may do', async () => {
    const inspection = await inspectSample(buildApk(MANIFEST), 'a.apk');
    expect(hasKeyOf(inspection, 'package', 'com.example.spy')).toBe(true);
    expect(inspection.findings).toEqual([expect.objectContaining({ detector: 'app_permissions' })]);
    expect(inspection.findings[0]?.evidence).toContain('read the screen');
  });

  it('without remarkable permissions stays unjudged, since its code is not looked at', async () => {
    const manifest = buildBinaryXml(manifestOf('com.example.plain', ['android.permission.INTERNET']));
    const inspection = await inspectSample(buildApk(manifest), 'a.apk');
    expect(inspection).toMatchObject({
      findings: [],
      unsupported: 'the code of an app is not looked at here',
    });
  });

  it('is looked up by its certificate, of scheme 1 and of scheme 2', async () => {
    const first = buildCertificate('one');
    const second = buildCertificate('two'.repeat(100));
    const apk = signApk(buildApk(MANIFEST, { 'META-INF/CERT.RSA': buildPkcs7(first) }), second);
    const inspection = await inspectSample(apk, 'a.apk');
    expect(hasKeyOf(inspection, 'certificate', sha256(first))).toBe(true);
    expect(hasKeyOf(inspection, 'certificate', sha256(second))).toBe(true);
    expect(hasKeyOf(inspection, 'package', 'com.example.spy')).toBe(true);
  });

  it('of which the manifest is locked as only malware does is named for it', async () => {
    const apk = Buffer.from(buildApk(MANIFEST));
    apk.writeUInt8(1, apk.indexOf('PK\x01\x02', 0, 'latin1') + 8);
    const inspection = await inspectSample(apk, 'a.apk');
    expect(signsOf(inspection)).toEqual([
      'an app package damaged on purpose in ways that Android forgives and scanners do not',
    ]);
  });

  it('with a manifest that is none is said to be unread', async () => {
    const inspection = await inspectSample(buildApk(new Uint8Array(99)), 'a.apk');
    expect(inspection).toMatchObject({ findings: [], unsupported: expect.any(String) });
  });
});

describe('a manifest', () => {
  const root = 8;
  const poolSize = Buffer.from(MANIFEST).readUInt32LE(root + 4);

  it('is read', () => {
    expect(readApkManifest(MANIFEST)).toEqual({
      packageName: 'com.example.spy',
      permissions: [
        'android.permission.RECEIVE_SMS',
        'android.permission.SYSTEM_ALERT_WINDOW',
        'android.permission.BIND_ACCESSIBILITY_SERVICE',
      ],
    });
  });

  it.each([
    ['a chunk of no length, which would never be passed', root + poolSize + 4, 0],
    ['more attributes than fit', root + poolSize + 28, 0xffff],
    ['more strings than fit', root + 8, 40_000],
  ])('with %s is refused at once', (_, at, value) => {
    const hostile = Buffer.from(MANIFEST);
    if (value > 0xffff || at === root + 8 || value === 0) hostile.writeUInt32LE(value, at);
    else hostile.writeUInt16LE(value, at);
    const startedAtMs = performance.now();
    expect(readApkManifest(hostile)).toBeUndefined();
    expect(performance.now() - startedAtMs).toBeLessThan(100);
  });

  it('whose strings all lie in one place is refused', () => {
    const count = 40_000;
    const stringsAt = 28 + 4 * count;
    const pool = Buffer.alloc(stringsAt + 0x8000);
    pool.writeUInt16LE(1, 0);
    pool.writeUInt16LE(28, 2);
    pool.writeUInt32LE(pool.length, 4);
    pool.writeUInt32LE(count, 8);
    pool.writeUInt32LE(0x100, 16);
    pool.writeUInt32LE(stringsAt, 20);
    pool.set([0xff, 0x00, 0xff, 0x00], stringsAt);
    const xml = Buffer.concat([Buffer.from('0300080000000000', 'hex'), pool]);
    const startedAtMs = performance.now();
    expect(readApkManifest(xml)).toBeUndefined();
    expect(performance.now() - startedAtMs).toBeLessThan(100);
  });
});

import { describe, expect, it } from 'vitest';
import { analyzeSample, hasKeyOf, processorMs, sha256, signsOf } from '../testing/analyze-sample.ts';
import {
  buildApk,
  buildBinaryXml,
  buildCertificate,
  buildPkcs7,
  manifestOf,
  signApk,
} from '../testing/build-apk.ts';
import { readApkManifest } from './apk-manifest.ts';

const MANIFEST = buildBinaryXml(
  manifestOf(
    'com.example.spy',
    ['android.permission.RECEIVE_SMS', 'android.permission.SYSTEM_ALERT_WINDOW'],
    ['android.permission.BIND_ACCESSIBILITY_SERVICE'],
  ),
);

describe('an Android app', () => {
  it('is looked up by its package name, and analyzed by its permissions', async () => {
    const analysis = await analyzeSample(buildApk(MANIFEST), 'a.apk');
    expect(hasKeyOf(analysis, 'package', 'com.example.spy')).toBe(true);
    expect(analysis.findings).toEqual([expect.objectContaining({ detector: 'app_permissions' })]);
    expect(analysis.findings[0]?.evidence).toContain('read the screen');
  });

  it('without suspicious permissions is unsupported, since its code is not analyzed', async () => {
    const manifest = buildBinaryXml(manifestOf('com.example.plain', ['android.permission.INTERNET']));
    const analysis = await analyzeSample(buildApk(manifest), 'a.apk');
    expect(analysis).toMatchObject({
      findings: [],
      unsupported: 'the code of the app is not analyzed',
    });
  });

  it('is looked up by its certificate of scheme 1 and of scheme 2', async () => {
    const first = buildCertificate('one');
    const second = buildCertificate('two'.repeat(100));
    const apk = signApk(buildApk(MANIFEST, { 'META-INF/CERT.RSA': buildPkcs7(first) }), second);
    const analysis = await analyzeSample(apk, 'a.apk');
    expect(hasKeyOf(analysis, 'certificate', sha256(first))).toBe(true);
    expect(hasKeyOf(analysis, 'certificate', sha256(second))).toBe(true);
    expect(hasKeyOf(analysis, 'package', 'com.example.spy')).toBe(true);
  });

  it('whose manifest is encrypted, as only in malware, is a finding', async () => {
    const apk = Buffer.from(buildApk(MANIFEST));
    apk.writeUInt8(1, apk.indexOf('PK\x01\x02', 0, 'latin1') + 8);
    const analysis = await analyzeSample(apk, 'a.apk');
    expect(signsOf(analysis)).toEqual([
      'an app package damaged deliberately in a way that Android tolerates and scanners do not',
    ]);
  });

  it('with an invalid manifest is reported as unread', async () => {
    const analysis = await analyzeSample(buildApk(new Uint8Array(99)), 'a.apk');
    expect(analysis).toMatchObject({ findings: [], unsupported: expect.any(String) });
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

  it('with a chunk without length, which would loop forever, is rejected', () => {
    const hostile = Buffer.from(MANIFEST);
    hostile.writeUInt32LE(0, root + poolSize + 4);
    expect(readApkManifest(hostile)).toBeUndefined();
  });

  it('with more strings than fit is rejected', () => {
    const pool = buildPool(1000, 28 + 8, 28);
    expect(readApkManifest(Buffer.concat([XML_HEADER, pool]))).toBeUndefined();
  });

  it('whose elements share their attributes is rejected at once', async () => {
    const element = Buffer.alloc(36);
    element.writeUInt16LE(0x0102, 0);
    element.writeUInt32LE(36, 4);
    element.writeUInt16LE(0xffff, 28);
    const rest = Buffer.alloc(0xffff * 20 + 36);
    rest.writeUInt32LE(rest.length, 4);
    const elements = Array.from({ length: 15_000 }, () => element);
    expect(
      await processorMs(() =>
        expect(readApkManifest(Buffer.concat([XML_HEADER, ...elements, rest]))).toBeUndefined(),
      ),
    ).toBeLessThan(200);
  });

  it('whose strings are all in one place is rejected at once', async () => {
    const count = 40_000;
    const stringsAt = 28 + 4 * count;
    const pool = buildPool(count, stringsAt + 0x8000, stringsAt);
    pool.set([0xff, 0x00, 0xff, 0x00], stringsAt);
    expect(
      await processorMs(() => expect(readApkManifest(Buffer.concat([XML_HEADER, pool]))).toBeUndefined()),
    ).toBeLessThan(200);
  });
});

const XML_HEADER = Buffer.from('0300080000000000', 'hex');

/** A pool that claims to hold many strings, all of them at its first. */
function buildPool(count: number, size: number, stringsAt: number): Buffer {
  const pool = Buffer.alloc(size);
  pool.writeUInt16LE(1, 0);
  pool.writeUInt16LE(28, 2);
  pool.writeUInt32LE(size, 4);
  pool.writeUInt32LE(count, 8);
  pool.writeUInt32LE(0x100, 16);
  pool.writeUInt32LE(stringsAt, 20);
  return pool;
}

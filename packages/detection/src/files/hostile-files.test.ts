import { deflateSync } from 'node:zlib';
import { repetitions } from '@tps/testing/soak';
import fc from 'fast-check';
import { gzipSync, strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { analyzeContent as inspect } from '../analysis/analyze-content.ts';
import type { PlainContent } from '../content.ts';
import { readPkcs7Certificates, readSigningBlockCertificates } from './app/apk-certificates.ts';
import { readApkManifest } from './app/apk-manifest.ts';
import { inflateWithin } from './archive/inflate.ts';
import { readZipDirectory } from './archive/zip-directory.ts';
import { startFileAnalysis, toAnalysis } from './file-analysis.ts';
import { FILE_LIMITS, startBudget } from './file-limits.ts';
import { fileTypeOf } from './file-type.ts';
import { isBoundedBmff } from './media/bmff-bounds.ts';
import { buildPng } from './media/testing/sign-picture.ts';
import { NO_TRUST } from './media/trust-list.ts';
import { readPdf } from './pdf/read-pdf.ts';
import { readPart } from './read-file.ts';
import { evenModels } from './testing/analyze-sample.ts';
import {
  buildApk,
  buildBinaryXml,
  buildCertificate,
  buildPkcs7,
  manifestOf,
  signApk,
} from './testing/build-apk.ts';
import { buildMail, buildPdf, buildShortcut, PROGRAM, WORDS } from './testing/samples.ts';

const CERTIFICATE = buildCertificate('a certificate');
const MANIFEST = buildBinaryXml(manifestOf('com.example.app', ['android.permission.READ_SMS']));
const APK = signApk(buildApk(MANIFEST, { 'META-INF/A.RSA': buildPkcs7(CERTIFICATE) }), CERTIFICATE);
const CONTENT = deflateSync(Buffer.from(`BT (${WORDS}) Tj ET`)).toString('latin1');

/** A small sample of each format. */
const SAMPLES: readonly Uint8Array[] = [
  APK,
  MANIFEST,
  zipSync({ 'a.txt': strToU8(WORDS), 'b.zip': zipSync({ 'c.txt': strToU8(WORDS) }) }),
  zipSync({ '[Content_Types].xml': strToU8('x'), 'word/document.xml': strToU8(`<w:t>${WORDS}</w:t>`) }),
  gzipSync(strToU8(WORDS)),
  buildPdf(
    [`BT (${WORDS}) Tj ET`],
    [`<< /Filter /FlateDecode >>\nstream\n${CONTENT}\nendstream`, '<< /URI (https://a.example.com) >>'],
  ),
  strToU8(
    `<html><a href="https://a.example.com">b.example.org</a><form action="//x.y"><input type="password">`,
  ),
  strToU8(
    buildMail(
      ['Content-Type: multipart/mixed; boundary=b'],
      `--b\r\n\r\n${WORDS}\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>x\r\n--b--`,
    ),
  ),
  strToU8(`{\\rtf1{\\*\\objdata 01}\\objupdate ${WORDS}}`),
  buildShortcut('cmd.exe /c https://a.example.com'),
  PROGRAM,
  buildPng(),
  Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicc2pa\0\0\0\x10moov\0\0\0\x08trak', 'latin1'),
];

/**
 * A sample that is truncated, with flipped bits, with another one spliced in, with a foreign beginning; or
 * noise.
 */
const hostile: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.constantFrom(...SAMPLES),
    fc.constantFrom(...SAMPLES),
    fc.nat({ max: 4 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.uint8Array({ maxLength: 24 }),
  )
  .map(([sample, other, way, share, noise]) => {
    const at = Math.floor(share * sample.length);
    const before = sample.subarray(0, at);
    const after = sample.subarray(at);
    switch (way) {
      case 0:
        return before;
      case 1:
        return Buffer.concat([before, noise, after.subarray(noise.length)]);
      case 2:
        return Buffer.concat([before, other.subarray(0, 200), after]);
      case 3:
        return Buffer.concat([other.subarray(0, 8), sample.subarray(8)]);
      default:
        return noise;
    }
  });

const RUNS = { numRuns: repetitions({ short: 400, soak: 4_000 }) };

describe('hostile bytes', () => {
  it('always get an analysis, without an exception of a reader', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, fc.constantFrom('a.pdf', 'a.hta', 'a.js', undefined), async (bytes, name) => {
        const budget = startBudget(FILE_LIMITS);
        const analyzeContent = (content: PlainContent) => inspect(content, evenModels(0.5));
        const results = startFileAnalysis({ budget, analyzeContent, context: undefined });
        await readPart({ bytes, name, depth: 0 }, { results, budget, trust: NO_TRUST, isMedia: false });
        const { keys, findings, score, unsupported } = toAnalysis('file', results);
        expect(bytes.length === 0 || keys.length > 0).toBe(true);
        expect(findings.every(({ confidence }) => confidence >= 0 && confidence <= 1)).toBe(true);
        expect(score !== undefined || unsupported !== undefined).toBe(true);
      }),
      RUNS,
    );
  });

  it.each<[string, (bytes: Uint8Array) => unknown]>([
    ['the types of files', fileTypeOf],
    ['zip directories', (bytes) => readZipDirectory(bytes, 100)],
    ['deflate data', (bytes) => inflateWithin(bytes, startBudget(FILE_LIMITS))],
    ['PDF documents', (bytes) => readPdf(bytes, startBudget(FILE_LIMITS))],
    ['manifests of apps', readApkManifest],
    ['signatures of apps', readPkcs7Certificates],
    ['signing blocks', (bytes) => readSigningBlockCertificates(bytes, bytes.length - 22)],
    ['boxes of films', isBoundedBmff],
  ])('never make the reader of %s throw', (_, read) => {
    fc.assert(
      fc.property(hostile, (bytes) => {
        read(bytes);
      }),
      RUNS,
    );
  });
});

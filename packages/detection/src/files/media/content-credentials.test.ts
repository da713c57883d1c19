import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DigitalSourceType } from '@trustnxt/c2pa-ts/manifest';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { analyzeSample, hasKeyOf, processorMs, sha256 } from '../testing/analyze-sample.ts';
import { PROGRAM } from '../testing/samples.ts';
import { readContentCredentials } from './content-credentials.ts';
import { buildPng, createTestSigner, signPicture } from './testing/sign-picture.ts';
import { NO_TRUST, type TrustList } from './trust-list.ts';

const signer = createTestSigner('Picture Works Ltd');
const stranger = createTestSigner('Another Signer');
const trust: TrustList = { anchors: [signer.authority] };
const generated = await signPicture(buildPng(), signer, DigitalSourceType.TrainedAlgorithmicMedia);
const captured = await signPicture(buildPng(), signer, DigitalSourceType.DigitalCapture);

function media(bytes: Uint8Array, list = trust) {
  return analyzeSample(bytes, 'a.png', { type: 'media', trust: list });
}

describe('content credentials', () => {
  it('that declare generated media by a trusted signer warn and never block', async () => {
    expect((await media(generated)).findings).toEqual([
      {
        detector: 'content_credentials',
        threatType: 'generated_media',
        category: 'deepfake',
        confidence: 0.95,
        evidence: 'a signed statement by Picture Works Ltd that it was made by a trained model',
        minimumVerdict: 'warn',
      },
    ]);
  });

  it.each([
    ['no signer', NO_TRUST],
    ['others', { anchors: [stranger.authority] }],
    ['nonsense', { anchors: ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'] }],
  ])('that declare generated media count less while the trust list holds %s', async (_, list) => {
    const [finding] = (await media(generated, list)).findings;
    expect(finding).toMatchObject({ confidence: 0.7, minimumVerdict: 'warn' });
    expect(finding?.evidence).toContain('not on the trust list');
  });

  it('trust a signer whose own certificate is on the list', async () => {
    expect(await readContentCredentials(generated, { anchors: [signer.certificate] })).toMatchObject({
      state: 'valid',
      isTrusted: true,
    });
  });

  it('that state another origin clear a picture only by a trusted signer', async () => {
    const trusted = await media(captured);
    expect(trusted).toMatchObject({ findings: [], score: 0.02 });
    expect(trusted.unsupported).toBeUndefined();
    expect(trusted.reasons[0]).toContain('Picture Works Ltd');
    const untrusted = await media(captured, NO_TRUST);
    expect(untrusted.score).toBeUndefined();
    expect(untrusted.unsupported).toContain('not on the trust list');
  });

  it('are read without models, and do not clear other content beside the picture', async () => {
    const options = { models: undefined, trust };
    const alone = await analyzeSample(captured, 'a.png', { ...options, type: 'media' });
    expect(alone.score).toBe(0.02);
    expect(alone.unsupported).toBeUndefined();
    const archive = zipSync({ 'a.png': captured, 'a.txt': strToU8('your parcel waits for its fee') });
    expect((await analyzeSample(archive, 'a.zip', options)).unsupported).toEqual({
      code: 'no_model',
    });
  });

  it('that do not state the origin clear no picture, regardless of the signer', async () => {
    const silent = await media(await signPicture(buildPng(), signer));
    expect(silent.score).toBeUndefined();
    expect(silent.unsupported).toContain('do not state its origin');
  });

  it('do not cover data after the picture', async () => {
    const archive = zipSync({ 'setup.exe': PROGRAM });
    const analysis = await media(Buffer.concat([captured, archive]));
    expect(analysis.unsupported).toBeDefined();
    expect(hasKeyOf(analysis, 'sha256', sha256(PROGRAM))).toBe(true);
  });

  it('prove nothing about a picture that was altered afterwards', async () => {
    const altered = Uint8Array.from(generated);
    const at = Buffer.from(altered).lastIndexOf('IDAT') + 6;
    altered[at] = (altered[at] ?? 0) ^ 1;
    const analysis = await media(altered);
    expect(analysis.findings).toEqual([]);
    expect(analysis.reasons[0]).toContain('do not match');
    expect(analysis.unsupported).toBeDefined();
  });

  it.each([
    ['a picture', buildPng()],
    ['a recording', Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1')],
    ['a film', Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1')],
  ])('that are missing leave %s unsupported, never clean', async (_, bytes) => {
    const analysis = await media(bytes);
    expect(analysis).toMatchObject({ findings: [], reasons: [] });
    expect(analysis.unsupported).toContain('no content credentials');
  });

  it('with any byte changed never lead to a better result', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: captured.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, bits) => {
          const changed = Uint8Array.from(captured);
          changed[at] = (changed[at] ?? 0) ^ bits;
          const statement = await readContentCredentials(changed, trust);
          // Bytes between the signed parts, and padding, may change without effect.
          expect(statement.state === 'valid' && statement.isGenerated).toBe(false);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    ['two million boxes', Buffer.from('\0\0\0\x08free'.repeat(2_000_000), 'latin1')],
    ['boxes in boxes', nestedBoxes(100_000)],
    ['item locations of no size', Buffer.from('\0\0\0\x14iloc\x01\0\0\0\0\0\x7f\xff\0\0\0\0', 'latin1')],
  ])('in a film of %s are not followed', async (_, boxes) => {
    const film = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicc2pa', 'latin1'), boxes]);
    const busyMs = await processorMs(async () => {
      expect(await readContentCredentials(film, NO_TRUST)).toEqual({ state: 'unreadable' });
    });
    expect(busyMs).toBeLessThan(500);
  });
});

function nestedBoxes(count: number): Buffer {
  const boxes = Buffer.alloc(8 * count);
  for (let index = 0; index < count; index++) {
    boxes.writeUInt32BE(8 * (count - index), 8 * index);
    boxes.write('moov', 8 * index + 4);
  }
  return boxes;
}

const DATA = process.env.TPS_SCAN_DATA;
describe.skipIf(DATA === undefined)('content credentials of others', () => {
  it.each([
    ['amazon-titan-g1.png', { state: 'valid', isGenerated: true, isTrusted: false }],
    ['trustnxt-icon-signed-v2-bmff.heic', { state: 'valid', isGenerated: false, isTrusted: false }],
    ['trustnxt-icon-signed-timestamp.jpg', { state: 'broken' }],
    ['trustnxt-icon.jpg', { state: 'none' }],
  ])('are read: %s', async (name, statement) => {
    const bytes = readFileSync(join(DATA ?? '', 'media', name));
    expect(await readContentCredentials(bytes, NO_TRUST)).toMatchObject(statement);
  });
});

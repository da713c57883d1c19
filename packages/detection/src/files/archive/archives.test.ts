import { gzipSync } from 'node:zlib';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import {
  analyzeSample,
  hasKeyOf,
  modelsAsked,
  processorMs,
  sha256,
  signsOf,
} from '../testing/analyze-sample.ts';
import { PROGRAM, WORDS } from '../testing/samples.ts';

const MIB = 1024 * 1024;

function buildTar(files: Readonly<Record<string, string>>, type = '0'): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const header = Buffer.alloc(512);
    header.write(name);
    header.write(text.length.toString(8).padStart(11, '0'), 124);
    header.write(type, 156);
    header.write('ustar', 257);
    const body = Buffer.alloc(Math.ceil(text.length / 512) * 512);
    body.write(text);
    return [header, body];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** Sets the bit that marks an entry as encrypted, in the directory and in the entry. */
function lock(zip: Uint8Array): Uint8Array {
  const locked = Buffer.from(zip);
  for (const [mark, flags] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const) {
    locked.writeUInt8(1, locked.indexOf(mark, 0, 'latin1') + flags);
  }
  return locked;
}

describe('archives', () => {
  it('are opened: zip, gzip, tar, and nested ones', async () => {
    const tgz = gzipSync(buildTar({ 'a.txt': WORDS }));
    const analysis = await analyzeSample(zipSync({ 'a.tgz': tgz }), 'a.zip');
    expect(hasKeyOf(analysis, 'sha256', sha256(WORDS))).toBe(true);
    expect(modelsAsked(analysis)).toEqual(['text_model']);
    expect(analysis.unsupported).toBeUndefined();
  });

  it.each([
    ['without a name', buildTar({ '': WORDS })],
    ['of an unknown type', buildTar({ 'a.txt': WORDS }, 'Z')],
    ['behind a folder of a false size', [buildTar({ a: 'x' }, '5').subarray(0, 512), buildTar({ b: WORDS })]],
  ])('are searched for files that are %s', async (_, tar) => {
    const analysis = await analyzeSample(Buffer.concat([tar].flat()), 'a.tar');
    expect(hasKeyOf(analysis, 'sha256', sha256(WORDS))).toBe(true);
    expect(analysis.unsupported).toBeUndefined();
  });

  it('made on a Mac are analyzed despite the extra files', async () => {
    const finder = { '__MACOSX/._a.txt': Buffer.from('0005160700020000', 'hex') };
    const folder = { '.DS_Store': Buffer.from('0000000142756431', 'hex') };
    const analysis = await analyzeSample(zipSync({ 'a.txt': strToU8(WORDS), ...finder, ...folder }), 'a.zip');
    expect(analysis.unsupported).toBeUndefined();
    expect((await analyzeSample(zipSync(finder), 'a.zip')).unsupported).toBeDefined();
  });

  it('are searched for files that are named like folders', async () => {
    const zip = zipSync({ 'a.txt': strToU8('x'), 'b.exe': PROGRAM });
    const named = Buffer.from(Buffer.from(zip).toString('latin1').replaceAll('b.exe', 'b.ex/'), 'latin1');
    expect(hasKeyOf(await analyzeSample(named, 'a.zip'), 'sha256', sha256(PROGRAM))).toBe(true);
  });

  it('with data after their end are reported as unread', async () => {
    const two = Buffer.concat([buildTar({ 'a.txt': WORDS }), buildTar({ 'b.txt': WORDS })]);
    expect((await analyzeSample(two, 'a.tar')).unsupported).toBe('it contains data after its end');
  });

  it('that contain only a program are a weak finding', async () => {
    const analysis = await analyzeSample(zipSync({ 'setup.exe': PROGRAM }), 'setup.zip');
    expect(analysis.findings).toEqual([expect.objectContaining({ confidence: 0.15 })]);
    expect(analysis.unsupported).toBeDefined();
  });

  it('are searched for programs under false names', async () => {
    const analysis = await analyzeSample(zipSync({ 'a/photo.jpg': PROGRAM, 'b.txt': strToU8('x') }), 'a.zip');
    expect(signsOf(analysis)).toEqual(['a program with the extension of a document or a picture']);
  });

  it('with a password are unread, and suspicious around a program', async () => {
    const text = await analyzeSample(lock(zipSync({ 'a.txt': strToU8(WORDS) })), 'a.zip');
    expect(text).toMatchObject({ findings: [], unsupported: 'files in it are protected with a password' });
    const program = await analyzeSample(lock(zipSync({ 'a.exe': PROGRAM })), 'a.zip');
    expect(signsOf(program)[0]).toContain('password-protected');
  });

  it('are unpacked no deeper than allowed', async () => {
    let zip = zipSync({ 'a.txt': strToU8(WORDS) });
    for (let level = 0; level < 4; level++) zip = zipSync({ 'a.zip': zip });
    const analysis = await analyzeSample(zip, 'a.zip');
    expect(analysis).toMatchObject({
      findings: [],
      unsupported: 'it contains files that are nested too deeply to be read',
    });
  });

  it('are read up to the allowed number of entries', async () => {
    const files: Zippable = {};
    for (let index = 0; index < 20; index++) files[`${index}.txt`] = strToU8(WORDS);
    const analysis = await analyzeSample(zipSync(files), 'a.zip', { limits: { entries: 10 } });
    expect(analysis.unsupported).toBe('it contains more files than are opened');
    const tar = buildTar(Object.fromEntries(Object.keys(files).map((name) => [name, name])));
    const ofTar = await analyzeSample(tar, 'a.tar', { limits: { entries: 10 } });
    expect(ofTar.unsupported).toBe('it contains more files than are opened');
  });

  it.each([
    ['by their ratio', {}],
    ['by what they unpack to', { ratio: Number.POSITIVE_INFINITY }],
  ])('that are bombs are stopped early, %s', async (_, limits) => {
    const whole = new Uint8Array(64 * MIB);
    const bomb = gzipSync(whole, { level: 1 });
    const wholeSha256 = sha256(whole);
    const before = process.memoryUsage().rss;
    const busyMs = await processorMs(async () => {
      const analysis = await analyzeSample(bomb, 'a.gz', { limits: { outputBytes: 8 * MIB, ...limits } });
      expect(analysis.unsupported).toBeDefined();
      expect(hasKeyOf(analysis, 'sha256', wholeSha256)).toBe(false);
    });
    expect(busyMs).toBeLessThan(1500);
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * MIB);
  });

  it('nested like 42.zip are stopped within their common budget', async () => {
    let zip = zipSync({ 'a.bin': new Uint8Array(2 * MIB) });
    for (let level = 0; level < 2; level++) {
      zip = zipSync(Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`${index}.zip`, zip])));
    }
    const busyMs = await processorMs(async () => {
      const analysis = await analyzeSample(zip, 'a.zip', { limits: { ratioFloorBytes: 4 * MIB } });
      expect(analysis.unsupported).toBeDefined();
    });
    expect(busyMs).toBeLessThan(2000);
  });

  it('with an extreme ratio are not unpacked to their end', async () => {
    const zip = zipSync({ 'a.bin': new Uint8Array(8 * MIB) }, { level: 6 });
    const analysis = await analyzeSample(zip, 'a.zip');
    expect(analysis.unsupported).toBeDefined();
    expect(hasKeyOf(analysis, 'sha256', sha256(new Uint8Array(8 * MIB)))).toBe(false);
  });

  it('with two entries that share bytes are bombs', async () => {
    const zip = Buffer.from(zipSync({ 'a.txt': strToU8(WORDS), 'b.txt': strToU8(WORDS) }));
    const second = zip.lastIndexOf('PK\x01\x02', undefined, 'latin1');
    zip.writeUInt32LE(0, second + 42);
    expect(signsOf(await analyzeSample(zip, 'a.zip'))).toEqual(['an archive made to exhaust the unpacker']);
  });

  it('with false sizes are read by their content', async () => {
    const zip = Buffer.from(zipSync({ 'a.txt': strToU8(WORDS.repeat(9)) }));
    const directory = zip.indexOf('PK\x01\x02', 0, 'latin1');
    zip.writeUInt32LE(1, directory + 24);
    expect(hasKeyOf(await analyzeSample(zip, 'a.zip'), 'sha256', sha256(WORDS.repeat(9)))).toBe(true);
  });
});

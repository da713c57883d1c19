import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { analyzeSample, hasKeyOf, sha256, signsOf } from './testing/analyze-sample.ts';
import { buildMail, buildPdf, PROGRAM, WORDS } from './testing/samples.ts';

const BENIGN = zipSync({ 'a.txt': strToU8(WORDS) });
const HIDDEN = zipSync({ 'setup.exe': PROGRAM });
const DOCUMENT = zipSync({ '[Content_Types].xml': strToU8('x') });
const LOCAL = Buffer.from(HIDDEN).subarray(0, Buffer.from(HIDDEN).indexOf('PK\x01\x02'));

/** Puts bytes before the directory of an archive, which then does not list everything in it. */
function withUnlisted(zip: Uint8Array, bytes: Uint8Array): Uint8Array {
  const archive = Buffer.from(zip);
  const directory = archive.lastIndexOf('PK\x01\x02');
  const whole = Buffer.concat([archive.subarray(0, directory), bytes, archive.subarray(directory)]);
  whole.writeUInt32LE(directory + bytes.length, whole.length - 6);
  return whole;
}

function renamed(zip: Uint8Array): Uint8Array {
  const archive = Buffer.from(zip);
  archive.write('a.exe', archive.indexOf('a.txt'));
  return archive;
}

describe('content that another program would read in a file', () => {
  it.each<[string, Uint8Array | string, string]>([
    ['a text', `${WORDS}\n`.repeat(90), 'a.txt'],
    ['a page', `<html><p>${WORDS}</p></html>`.padEnd(5000), 'a.html'],
    ['a mail', buildMail([], WORDS).padEnd(5000), 'a.eml'],
    ['a PDF document', buildPdf([`BT (${WORDS}) Tj ET`]), 'a.pdf'],
    ['rich text', `{\\rtf1 ${WORDS}}`.padEnd(5000), 'a.rtf'],
    ['a picture', '\xff\xd8\xff\xe0', 'a.jpg'],
  ])('is found: an archive behind %s', async (_, before, name) => {
    const start = typeof before === 'string' ? Buffer.from(before, 'latin1') : before;
    const analysis = await analyzeSample(Buffer.concat([start, HIDDEN]), name);
    expect(hasKeyOf(analysis, 'sha256', sha256(PROGRAM))).toBe(true);
    expect(signsOf(analysis)).toContain('an archive hidden in a file of another type');
  });

  it.each([
    ['a program that unpacks itself', PROGRAM],
    ['a notebook', Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex')],
  ])('is found without suspicion: an archive in %s', async (_, start) => {
    const analysis = await analyzeSample(Buffer.concat([start, BENIGN]), 'a.bin');
    expect(hasKeyOf(analysis, 'sha256', sha256(WORDS))).toBe(true);
    expect(signsOf(analysis)).toEqual([]);
    expect(analysis.unsupported).toBeDefined();
  });

  it('is found: the second of two archives in one file', async () => {
    const analysis = await analyzeSample(Buffer.concat([BENIGN, HIDDEN]), 'a.zip');
    expect(hasKeyOf(analysis, 'sha256', sha256(PROGRAM))).toBe(true);
  });

  it.each([
    ['files that are not listed', withUnlisted(BENIGN, LOCAL)],
    ['files under other names than listed', renamed(BENIGN)],
    ['the first of two archives in one file', Buffer.concat([HIDDEN, BENIGN])],
    ['files of a document that are not listed', withUnlisted(DOCUMENT, LOCAL)],
  ])('is reported as unread: %s', async (_, zip) => {
    expect((await analyzeSample(zip, 'a.zip')).unsupported).toContain('that its directory does not list');
  });

  it.each([
    ['a mail', 'a.bat', `${buildMail([], WORDS)}\r\npowershell iex`],
    ['a page', 'a.js', `<!-- --><html>\n// ${WORDS}`],
    ['rich text', 'a.vbs', `{\\rtf1 ${WORDS}}`],
  ])('is a script by its name, although it begins like %s: %s', async (_, name, text) => {
    const analysis = await analyzeSample(text, name);
    expect(signsOf(analysis)).toEqual(['a script that runs when opened']);
    expect(analysis.unsupported).toBeDefined();
  });

  it.each([
    ['rich text', `{\\rtf1 ${WORDS} <a href="https&#58;//login&#46;example.com/">}`],
    ['a mail', buildMail([], `${WORDS} <a href="https&#58;//login&#46;example.com/">`)],
  ])('is a page by its name, although it begins like %s', async (_, text) => {
    expect(hasKeyOf(await analyzeSample(text, 'a.html'), 'domain', 'login.example.com')).toBe(true);
  });

  it('is reported as unread: an archive by its name that begins with words', async () => {
    expect((await analyzeSample(`${`${WORDS}\n`.repeat(60)}Rar!\x1a\x07`, 'a.rar')).unsupported).toContain(
      'an archive',
    );
  });
});

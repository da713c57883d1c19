import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { ByteScanner } from './analyze-bytes.ts';
import { analyzeSample, hasKeyOf, modelsAsked, sha256, signsOf, toBytes } from './testing/analyze-sample.ts';
import { buildMail, buildShortcut, EICAR, PROGRAM, WORDS } from './testing/samples.ts';

describe('analyzing a file', () => {
  it('returns the hash of it and of each file inside', async () => {
    const inner = zipSync({ 'b.txt': strToU8(WORDS) });
    const outer = zipSync({ 'inner.zip': inner });
    const analysis = await analyzeSample(outer, 'outer.zip');
    for (const file of [outer, inner, WORDS]) {
      expect(hasKeyOf(analysis, 'sha256', sha256(file))).toBe(true);
    }
    expect(modelsAsked(analysis)).toContain('text_model');
  });

  it('analyzes the words of a text file and the links in them', async () => {
    const analysis = await analyzeSample(`${WORDS}: https://parcel.example.com/pay`, 'notice.txt');
    expect(modelsAsked(analysis).sort()).toEqual(['text_model', 'url_model']);
    expect(hasKeyOf(analysis, 'domain', 'example.com')).toBe(true);
    expect(analysis.unsupported).toBeUndefined();
  });

  it.each([
    ['noise', Uint8Array.from({ length: 999 }, (_, at) => (at * 197) % 251)],
    ['a program', PROGRAM],
    ['nothing', new Uint8Array(0)],
    ['a 7z archive', Buffer.from('377abcaf271c0004', 'hex')],
    ['a picture', Buffer.from('89504e470d0a1a0a0000', 'hex')],
  ])('reports %s as not analyzed, never as clean', async (_, bytes) => {
    const analysis = await analyzeSample(bytes, 'thing.bin');
    expect(analysis).toMatchObject({ findings: [], unsupported: expect.any(String) });
    expect(analysis.score).toBeUndefined();
  });

  it.each([
    ['invoice.pdf', PROGRAM, 'a program with the extension of a document or a picture'],
    ['invoice.pdf.exe', PROGRAM, 'a name with the extension of a document before that of a program'],
    ['photo\u202egpj.exe', PROGRAM, 'a name that reverses the writing direction to hide its extension'],
    ['invoice.pdf            .exe', PROGRAM, 'a name that hides its extension behind spaces'],
    ['scan.jpg', buildShortcut(''), 'a program with the extension of a document or a picture'],
    ['scan.jpg', toBytes('<html><p>x'), 'a web page with the extension of a document or a picture'],
  ])('finds that %s hides its type', async (name, bytes, evidence) => {
    const analysis = await analyzeSample(bytes, name);
    expect(signsOf(analysis)).toContain(evidence);
    expect(JSON.stringify(analysis)).not.toContain(name.slice(0, 5));
  });

  it.each([
    'notes.txt',
    'v1.2.final.txt',
    'minutes 2024.06.txt',
    'a.txt.gz',
    // A chat export of a messenger, and a Hebrew name.
    'Chat with \u202a+44 7700 900123\u202c.txt',
    '\u202b\u05d7\u05e9\u05d1\u05d5\u05df 2024\u202c.txt',
  ])('accepts the name %s', async (name) => {
    expect(signsOf(await analyzeSample(WORDS, name))).toEqual([]);
  });

  it.each(['setup.exe', 'tool-1.2.exe', 'report.pdf.zip'])(
    'takes a program by its own name as it is: %s',
    async (name) => {
      expect(signsOf(await analyzeSample(PROGRAM, name))).toEqual([]);
    },
  );

  it('analyzes a text in the encoding of older programs', async () => {
    const words = `Grüße aus Köln, häufig und möglichst günstig für fünf Tage: ${WORDS}`;
    const analysis = await analyzeSample(Buffer.from(words, 'latin1'), 'a.txt');
    expect(modelsAsked(analysis)).toEqual(['text_model']);
    expect(analysis.unsupported).toBeUndefined();
  });

  it('does not read a file that is too large, and reports it', async () => {
    const analysis = await analyzeSample(WORDS, 'a.txt', { limits: { inputBytes: 10 } });
    expect(analysis).toMatchObject({ findings: [], unsupported: 'it is too large to be read' });
    expect(hasKeyOf(analysis, 'sha256', sha256(WORDS))).toBe(true);
  });

  it.each([
    ['alone', EICAR, 'eicar.com'],
    ['with white space after it', `${EICAR}\r\n \u001a`, 'eicar.txt'],
    ['in an archive', zipSync({ 'eicar.com': strToU8(EICAR) }), 'eicar_com.zip'],
    ['in an archive in an archive', zipSync({ 'a.zip': zipSync({ 'e.txt': strToU8(EICAR) }) }), 'b.zip'],
    [
      'attached to a mail',
      buildMail(
        ['Content-Type: application/octet-stream; name="e.com"', 'Content-Transfer-Encoding: base64'],
        Buffer.from(EICAR).toString('base64'),
      ),
      'mail.eml',
    ],
  ])('finds the EICAR test file %s', async (_, bytes, name) => {
    const { findings } = await analyzeSample(bytes, name);
    expect(findings).toContainEqual(
      expect.objectContaining({
        threatType: 'malware',
        minimumVerdict: 'block',
        evidence: 'the EICAR test file, which is harmless and made to test scanners',
      }),
    );
  });

  it.each([
    ['with words after it', `${EICAR} is the text of the EICAR test file`],
    ['with words before it', `test ${EICAR}`],
    ['followed by too much', EICAR + ' '.repeat(80)],
    ['altered', EICAR.replace('FILE', 'fILE')],
  ])('does not take a text for the EICAR test file: %s', async (_, text) => {
    expect(signsOf(await analyzeSample(text, 'a.txt'))).toEqual([]);
  });

  it.each([
    ['a text', WORDS],
    ['a PDF document', '%PDF-1.7'],
    ['a program', PROGRAM],
  ])('sent as media, %s is not reported as analyzed media', async (_, bytes) => {
    const { unsupported } = await analyzeSample(bytes, 'a.jpg', { type: 'media' });
    expect(unsupported).toBe('it is not a picture, a sound or a film, so its origin was not checked');
  });

  it('calls every scanner, and reports a failed one', async () => {
    const found = {
      detector: 'yara',
      threatType: 'malware',
      category: 'malicious_app',
      confidence: 0.9,
      evidence: 'a rule',
    } as const;
    const scanners: ByteScanner[] = [
      { name: 'clamav', scan: async () => Promise.reject(new Error('down')) },
      { name: 'yara', scan: async () => [found] },
    ];
    const analysis = await analyzeSample(WORDS, 'a.txt', { scanners });
    expect(analysis.findings).toContainEqual(found);
    expect(analysis.unsupported).toContain('clamav');
  });

  it('never repeats the content of the file', async () => {
    const secret = 'zanzibar-invoice';
    const analysis = await analyzeSample(
      `<html><a href="https://${secret}.com">my${secret}.org</a> ${secret}`,
      `${secret}.html`,
    );
    expect(JSON.stringify(analysis)).not.toContain(secret);
  });
});

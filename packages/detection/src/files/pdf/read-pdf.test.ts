import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { analyzeSample, hasKeyOf, modelsAsked, processorMs, signsOf } from '../testing/analyze-sample.ts';
import { buildPdf, WORDS } from '../testing/samples.ts';

const BAIT = 'login.example.com';
const LINK = `https://${BAIT}/x`;
const BENIGN = 'BT (Minutes of the meeting in the small room) Tj ET';
const SHOWN = `BT (see ${BAIT}/x) Tj ET`;
const HELD = `9 0 << /S /URI /URI (${LINK}) >>`;
const SCRIPT = 'a script that runs when opened';

function stream(dictionary: string, content: string, before = 'stream\n'): string {
  return `<< ${dictionary} >>\n${before}${content}\nendstream`;
}

function flate(content: string): string {
  return deflateSync(Buffer.from(content, 'latin1')).toString('latin1');
}

function hex(content: string): string {
  return `${Buffer.from(content, 'latin1').toString('hex')}>`;
}

function ascii85(content: string): string {
  const bytes = Buffer.from(content, 'latin1');
  const whole = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  const letters = Array.from({ length: whole.length / 4 }, (_, at) => {
    const value = whole.readUInt32BE(at * 4);
    const digits = [4, 3, 2, 1, 0].map((power) => Math.floor(value / 85 ** power) % 85);
    return value === 0 ? 'z' : digits.map((digit) => String.fromCharCode(digit + 33)).join('');
  });
  const missing = whole.length - bytes.length;
  return `${missing === 0 ? letters.join('') : letters.join('').slice(0, -missing)}~>`;
}

describe('a PDF document that displays an address', () => {
  const paying = (shown: string, ...targets: readonly string[]) =>
    analyzeSample(
      buildPdf(
        [`BT (pay at ${shown} today) Tj ET`],
        targets.map((target) => `<< /S /URI /URI (${target}) >>`),
      ),
      'a.pdf',
    );
  const DECEIVES = 'a link that displays the site of a well-known company or authority and leads elsewhere';

  it('of a company and leads elsewhere leads to a warning', async () => {
    for (const shown of ['www.paypal.com', 'https://www.paypal.com/signin', 'https://www.sparkasse.de'])
      expect(signsOf(await paying(shown, LINK))).toEqual([DECEIVES]);
  });

  it('does not, if it leads there, or if it has more links than one', async () => {
    expect(signsOf(await paying('www.paypal.com', 'https://www.paypal.com/x'))).toEqual([]);
    expect(signsOf(await paying('www.paypal.com', LINK, 'https://shop.example.org/'))).toEqual([]);
    expect(signsOf(await paying('www.paypal.com and www.ing.de', LINK))).toEqual([]);
  });
});

describe('content of a PDF document beside benign words', () => {
  it.each([
    ['a stream after a bare carriage return', [stream('', SHOWN, 'stream\r')]],
    ['a stream after blanks', [stream('', SHOWN, 'stream  \n')]],
    ['a stream right after the keyword', [stream('', SHOWN, 'stream')]],
    [
      'a stream with the keyword of its end in it',
      [stream(`/Length ${SHOWN.length + 10}`, `endstream ${SHOWN}`)],
    ],
    ['a stream in hex, by the short name', [stream('/Filter /AHx', hex(SHOWN))]],
    ['a stream in hex, packed', [stream('/Filter [/FlateDecode /ASCIIHexDecode]', flate(hex(SHOWN)))]],
    ['a packed stream in ASCII85', [stream('/Filter [/ASCII85Decode /FlateDecode]', ascii85(flate(SHOWN)))]],
    [
      'objects that call themselves a picture',
      [stream('/Type /ObjStm /Subtype /Image /N 1 /First 4', flate(HELD))],
    ],
    ['objects behind a false beginning', [stream('/Type /ObjStm /N 1 /X (1 0 obj)', flate(HELD))]],
    ['an address with escapes', [`<< /URI (\\150ttps://${BAIT}/x) >>`]],
    [
      'an address in two bytes for each letter',
      [`<< /URI (\xfe\xff${[...LINK].map((c) => `\0${c}`).join('')}) >>`],
    ],
    ['an address behind a comment', [`<< /URI % x\n <${hex(LINK)} >>`]],
    ['an address elsewhere', ['<< /URI 4 0 R >>', `<${hex(LINK)}`]],
    ['an address that does not end', [`<< /URI <${hex(`${LINK}${'a'.repeat(3000)}`)} >>`]],
  ])('is found: %s', async (_, objects) => {
    const analysis = await analyzeSample(buildPdf([BENIGN], objects), 'a.pdf');
    expect(hasKeyOf(analysis, 'domain', BAIT)).toBe(true);
    expect(analysis.unsupported).toBeUndefined();
  });

  it.each([
    [
      'a page that calls itself a picture',
      [stream('/Subtype /Image', flate(SHOWN)), '<< /Contents 3 0 R >>'],
    ],
    [
      'one of its pieces that does',
      [stream('/Subtype /Image', flate(SHOWN)), '<< /Contents 5 0 R >>', '[2 0 R 3 0 R]'],
    ],
    ['a filter that stands elsewhere', [stream('/Filter 9 0 R', flate(hex(SHOWN)))]],
    ['a filter that is not read', [stream('/Filter [/FlateDecode /RL]', flate(SHOWN))]],
    [
      'objects written as differences',
      [stream('/Type /ObjStm /DecodeParms << /Predictor 12 >>', flate(`\x02${HELD}`))],
    ],
    ['an XFA form', ['<< /AcroForm << /XFA [(a) 9 0 R] >> >>']],
  ])('is reported as unread: %s', async (_, objects) => {
    const analysis = await analyzeSample(buildPdf([BENIGN], objects), 'a.pdf');
    expect(analysis.unsupported).toMatch(/^the document is/);
  });

  it('is a picture, which does not affect the rest', async () => {
    const picture = stream('/Subtype /Image /Filter /DCTDecode', '\xff\xd8\xff');
    const analysis = await analyzeSample(buildPdf([BENIGN], [picture, '<< /Contents 2 0 R >>']), 'a.pdf');
    expect(modelsAsked(analysis)).toEqual(['text_model']);
    expect(analysis.unsupported).toBeUndefined();
  });

  it.each([
    ['in place', '<< /Type /Filespec /F (notes.txt) /UF (notes.js) /EF << /F 3 0 R >> >>', ''],
    ['elsewhere', '<< /Type /Filespec /F (notes.js) /EF 5 0 R >>', '<< /F 3 0 R >>'],
  ])('is a script by the name %s', async (_, named, files) => {
    const objects = [stream('/Type /EmbeddedFile', WORDS), named, files];
    const analysis = await analyzeSample(buildPdf([BENIGN], objects), 'a.pdf');
    expect(signsOf(analysis)).toEqual([SCRIPT]);
  });

  it.each([
    ['<< /S % x\n /Launch /F (cmd.exe) >>', 'a PDF document that starts a program'],
    [
      '<< /OpenAction << /S /GoToR /F (\\\\\\\\192.0.2.1\\\\share\\\\x) >> >>',
      'a PDF document that automatically opens a file on another computer',
    ],
  ])('is a finding for an automatic action: %s', async (object, sign) => {
    expect(signsOf(await analyzeSample(buildPdf([BENIGN], [object]), 'a.pdf'))).toEqual([sign]);
  });

  it.each([
    ['addresses that never end', '/URI(((a'.repeat(200_000)],
    ['comments', `/F${'%\n'.repeat(500_000)}`],
    ['references', '/URI 3 0 R '.repeat(150_000)],
    ['lists of pages', '/Contents [1 0 R'.repeat(100_000)],
    ['numbers', stream('', '1 '.repeat(500_000))],
    [
      'objects that overlap',
      stream(
        '/Type /ObjStm',
        `${Array.from({ length: 8000 }, (_, at) => `${at} ${at % 2 === 0 ? 0 : 65_536}`).join(' ')} <<${'/EF /F (x) /F 1 0 R'.repeat(4000)}`,
      ),
    ],
    ['names of files', `/EF<<${'/F 1 0 R '.repeat(100_000)}`],
  ])('is read quickly: %s', async (_, object) => {
    const pdf = buildPdf([BENIGN], [object]);
    expect(await processorMs(() => analyzeSample(pdf, 'a.pdf'))).toBeLessThan(1000);
  });
});

import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import {
  analyzeSample,
  hasKeyOf,
  modelsAsked,
  processorMs,
  sha256,
  signsOf,
} from './testing/analyze-sample.ts';
import { buildPdf, PROGRAM, WORDS } from './testing/samples.ts';

const SHOWN = `BT /F1 12 Tf (${WORDS}) Tj ET`;

function packed(dictionary: string, content: string): string {
  const bytes = deflateSync(Buffer.from(content, 'latin1')).toString('latin1');
  return `<< ${dictionary} /Filter /FlateDecode /Length ${bytes.length} >>\nstream\n${bytes}\nendstream`;
}

describe('PDF documents', () => {
  it('have their words analyzed, compressed or not', async () => {
    for (const pdf of [buildPdf([SHOWN]), buildPdf([], [packed('', SHOWN)])]) {
      const analysis = await analyzeSample(pdf, 'a.pdf');
      expect(modelsAsked(analysis)).toEqual(['text_model']);
      expect(analysis.unsupported).toBeUndefined();
    }
  });

  it('have words in the codes of a font analyzed', async () => {
    const letters = [...new Set(WORDS)];
    const code = (letter: string) => (letters.indexOf(letter) + 1).toString(16).padStart(4, '0');
    const map = letters.map(
      (letter) => `<${code(letter)}> <${letter.charCodeAt(0).toString(16).padStart(4, '0')}>`,
    );
    const shown = `BT /F1 1 Tf [<${[...WORDS].slice(0, 30).map(code).join('')}> -20 <${[...WORDS].slice(30).map(code).join('')}>] TJ ET`;
    const pdf = buildPdf(
      [shown],
      [
        '<< /Font << /F1 4 0 R >> >>',
        '<< /Type /Font /ToUnicode 5 0 R >>',
        packed('', `beginbfchar ${map.join('\n')} endbfchar`),
      ],
    );
    expect(modelsAsked(await analyzeSample(pdf, 'a.pdf'))).toEqual(['text_model']);
  });

  it.each([
    ['in the open', buildPdf([], ['<< /S /URI /URI (https://login.example.com/a\\)b) >>'])],
    ['in hex', buildPdf([], [`<< /URI <${Buffer.from('https://login.example.com/').toString('hex')}> >>`])],
    ['under an escaped name', buildPdf([], ['<< /#55RI (https://login.example.com/) >>'])],
    [
      'packed away',
      buildPdf([], [packed('/Type /ObjStm /N 1 /First 4', '9 0 << /URI (https://login.example.com/) >>')]),
    ],
  ])('have their links found %s', async (_, pdf) => {
    const analysis = await analyzeSample(pdf, 'a.pdf');
    expect(hasKeyOf(analysis, 'domain', 'login.example.com')).toBe(true);
    expect(modelsAsked(analysis)).toContain('url_model');
  });

  it('are a finding for actions that start automatically', async () => {
    const launch = buildPdf([SHOWN], ['<< /OpenAction << /S /Launch /F (cmd.exe) >> >>']);
    expect(signsOf(await analyzeSample(launch, 'a.pdf'))).toEqual(['a PDF document that starts a program']);
    const script = await analyzeSample(
      buildPdf([SHOWN], ['<< /OpenAction << /S /JavaScript /JS (app.x) >> >>']),
      'a.pdf',
    );
    expect(signsOf(script)).toEqual(['a PDF document that runs a script when opened']);
    expect(script.reasons).toContain('the document contains a script');
  });

  it('have their embedded files opened', async () => {
    const file = Buffer.from(PROGRAM).toString('latin1');
    const analysis = await analyzeSample(buildPdf([], [packed('/Type /EmbeddedFile', file)]), 'a.pdf');
    expect(hasKeyOf(analysis, 'sha256', sha256(PROGRAM))).toBe(true);
  });

  it.each([
    ['made of pictures', buildPdf(['q 1 0 0 1 0 0 cm /Im1 Do Q'])],
    [
      'packed in a way that is not read',
      buildPdf([], ['<< /Filter /LZWDecode >>\nstream\n\x80\x0b\nendstream']),
    ],
    ['a bomb', buildPdf([SHOWN], [packed('', '\0'.repeat(8_000_000))])],
  ])('that are %s are reported as unread', async (_, pdf) => {
    expect((await analyzeSample(pdf, 'a.pdf')).unsupported).toBeDefined();
  });

  it('that are encrypted are unread, and their words are not analyzed', async () => {
    const analysis = await analyzeSample(buildPdf([SHOWN], ['<< /Encrypt 9 0 R >>']), 'a.pdf');
    expect(analysis).toMatchObject({ findings: [], unsupported: 'the document is encrypted' });
  });

  it('of strings that never end are read quickly', async () => {
    const pdf = buildPdf([], [packed('', `BT Tj ${'(\\'.repeat(100_000)}`)]);
    expect(await processorMs(() => analyzeSample(pdf, 'a.pdf'))).toBeLessThan(500);
  });

  it('that nest a form a trillion times are read quickly', async () => {
    const forms = Array.from(
      { length: 12 },
      (_, at) =>
        `<< /Subtype /Form /Resources << /XObject << /X ${at + 4} 0 R >> >> >>\nstream\n${'/X Do '.repeat(10)}\nendstream`,
    );
    expect(await processorMs(() => analyzeSample(buildPdf([SHOWN], forms), 'a.pdf'))).toBeLessThan(500);
  });
});

describe('Office documents', () => {
  const ooxml = (files: Readonly<Record<string, string>>) =>
    zipSync(
      Object.fromEntries(
        Object.entries({ '[Content_Types].xml': 'x', ...files }).map(([name, text]) => [name, strToU8(text)]),
      ),
    );

  it('have their words and links analyzed', async () => {
    const analysis = await analyzeSample(
      ooxml({
        'word/document.xml': `<w:p><w:t>${WORDS}</w:t></w:p>`,
        'word/_rels/document.xml.rels':
          '<Relationship Id="r1" Type="http://x/hyperlink" Target="https://login.example.com/a" TargetMode="External"/>',
      }),
      'a.docx',
    );
    expect(modelsAsked(analysis).sort()).toEqual(['text_model', 'url_model']);
    expect(signsOf(analysis)).toEqual([]);
    expect(analysis.unsupported).toBeUndefined();
  });

  it('are a finding for macros, and for macros that run automatically', async () => {
    const macros = await analyzeSample(ooxml({ 'word/vbaProject.bin': 'Sub Hello' }), 'a.docm');
    expect(signsOf(macros)).toEqual(['a document with macros']);
    const starting = await analyzeSample(ooxml({ 'xl/vbaProject.bin': 'Sub Auto_Open' }), 'a.xlsm');
    expect(signsOf(starting)).toEqual(['a document whose macros run when it is opened']);
  });

  it('with very many cells or links are read within bounds, and reported as unread', async () => {
    for (const unit of ['<t>', '<a href="https://a.example.com/">', '&amp;']) {
      const table = ooxml({ 'xl/worksheets/sheet1.xml': unit.repeat(250_000) });
      const limits = { timeMs: 60_000, ratio: Number.POSITIVE_INFINITY };
      const busyMs = await processorMs(async () => {
        const analysis = await analyzeSample(table, 'a.xlsx', { limits });
        expect(analysis.unsupported).not.toContain('damaged');
      });
      expect(busyMs).toBeLessThan(1500);
    }
  });

  it('are a finding for a template from elsewhere', async () => {
    const rels =
      '<Relationship Type="http://x/attachedTemplate" Target="https://a.example/t.dotm" TargetMode="External"/>';
    const analysis = await analyzeSample(ooxml({ 'word/_rels/settings.xml.rels': rels }), 'a.docx');
    expect(signsOf(analysis)).toEqual([
      'a document that fetches a template or an object from elsewhere when opened',
    ]);
  });

  it('in the older format are searched for macros and otherwise unsupported', async () => {
    const ole = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.from('_VBA_PROJECT AutoOpen', 'utf16le'),
    ]);
    const analysis = await analyzeSample(ole, 'a.doc');
    expect(signsOf(analysis)).toEqual(['a document whose macros run when it is opened']);
    expect(analysis.unsupported).toBeDefined();
  });

  it('in rich text have words analyzed, and objects that load automatically found', async () => {
    expect(modelsAsked(await analyzeSample(`{\\rtf1\\ansi ${WORDS}}`, 'a.rtf'))).toEqual(['text_model']);
    const object = await analyzeSample('{\\rtf1{\\object\\objupdate{\\*\\objdata 0105}}}', 'a.rtf');
    expect(signsOf(object)).toEqual([
      'a rich text document with an embedded object that loads automatically',
    ]);
  });
});

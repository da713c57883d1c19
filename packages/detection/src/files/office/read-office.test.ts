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

const BAIT = 'login.example.com';
const LINK = `https://${BAIT}/x`;
const FETCHES = 'a document that fetches a template or an object from elsewhere when opened';
const COMMANDS = 'a document that makes another program run a command (DDE or an action)';
const MACROS_UNREAD = 'its macros are not analyzed';

function documentWith(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const all = { '[Content_Types].xml': 'x', 'word/document.xml': `<w:p><w:t>${WORDS}</w:t></w:p>`, ...files };
  const entries = Object.entries(all).map(([name, file]) => [
    name,
    typeof file === 'string' ? strToU8(file) : file,
  ]);
  return zipSync(Object.fromEntries(entries) as Zippable);
}

function relation(type: string, target: string): string {
  return `<Relationship Type="http://x/${type}" Target="${target}" TargetMode="External"/>`;
}

const LEADS = 'https://desk.example.net/x';
const TO_LEADS = `<Relationship Id="rId5" Type="http://x/hyperlink" Target="${LEADS}" TargetMode="External"/>`;

describe('an Office document that displays the site of a company and leads elsewhere', () => {
  it.each([
    [
      'a link of Word',
      {
        'word/document.xml':
          '<w:p><w:hyperlink r:id="rId5"><w:r><w:t>www.pay</w:t></w:r><w:r><w:t>pal.com</w:t></w:r></w:hyperlink></w:p>',
        'word/_rels/document.xml.rels': TO_LEADS,
      },
    ],
    [
      'a link in a header',
      {
        'word/header1.xml':
          '<w:hyperlink r:id="rId5" w:history="1"><w:t>https://www.paypal.com</w:t></w:hyperlink>',
        'word/_rels/header1.xml.rels': TO_LEADS,
      },
    ],
    [
      'a field of Word',
      {
        'word/document.xml': `<w:instrText>HYPERLINK "${LEADS}"</w:instrText><w:fldChar w:fldCharType="separate"/><w:t>www.paypal.com</w:t><w:fldChar w:fldCharType="end"/>`,
      },
    ],
    [
      'a slide',
      {
        'ppt/slides/slide1.xml':
          '<a:r><a:rPr><a:hlinkClick r:id="rId5"/></a:rPr><a:t>www.paypal.com</a:t></a:r>',
        'ppt/slides/_rels/slide1.xml.rels': TO_LEADS,
      },
    ],
    [
      'a cell',
      {
        'xl/worksheets/sheet1.xml':
          '<hyperlinks><hyperlink ref="A1" r:id="rId5" display="www.paypal.com"/></hyperlinks>',
        'xl/worksheets/_rels/sheet1.xml.rels': TO_LEADS,
      },
    ],
    ['an OpenDocument text', { 'content.xml': `<text:a xlink:href="${LEADS}">www.paypal.com</text:a>` }],
  ])('leads to a warning: %s', async (_, files) => {
    expect((await analyzeSample(documentWith(files), 'a.docx')).findings).toContainEqual(
      expect.objectContaining({ threatType: 'credential_phishing', minimumVerdict: 'warn' }),
    );
  });

  it('does not, if the link of another part leads elsewhere', async () => {
    const files = {
      'word/document.xml': '<w:hyperlink r:id="rId5"><w:t>www.paypal.com</w:t></w:hyperlink>',
      'word/_rels/document.xml.rels': TO_LEADS.replace(LEADS, 'https://www.paypal.com/x'),
      'word/_rels/footer1.xml.rels': TO_LEADS,
    };
    expect(signsOf(await analyzeSample(documentWith(files), 'a.docx'))).toEqual([]);
  });
});

describe('content of an Office document beside benign words', () => {
  it.each<[string, Readonly<Record<string, string | Uint8Array>>]>([
    ['words that stand as they are', { 'word/footnotes.xml': `<w:t><![CDATA[see ${LINK} now]]></w:t>` }],
    ['relations in capital letters', { 'word/_rels/document.xml.RELS': relation('hyperlink', LINK) }],
    ['words in capital letters', { 'word/footnotes.XML': `<w:t>see ${LINK}</w:t>` }],
    [
      'two bytes for each letter without a mark',
      { 'word/footnotes.xml': Buffer.from(`<?xml version="1.0"?><w:t>see ${LINK}</w:t>`, 'utf16le') },
    ],
    [
      'an address within another',
      { 'word/_rels/document.xml.rels': relation('hyperlink', `mhtml:${LINK}!x`) },
    ],
    [
      'a long address',
      { 'word/_rels/document.xml.rels': relation('hyperlink', `${LINK}?${'a'.repeat(9000)}`) },
    ],
    [
      'an address with the end of a tag',
      { 'word/_rels/document.xml.rels': relation('hyperlink', `${LINK}?>`) },
    ],
    [
      'words that a field takes from elsewhere',
      { 'customXml/item1.xml': LINK, 'word/a.xml': '<w:dataBinding/>' },
    ],
    ['a drawing', { 'xl/drawings/vmlDrawing1.vml': `<v:shape href="${LINK}"/>` }],
    [
      'a cell under a prefix',
      { 'xl/worksheets/sheet1.xml': `<x:is><x:t xml:space="preserve">${LINK}</x:t></x:is>` },
    ],
    ['a page by the name of a picture', { 'word/media/a.png': `<html><a href="${LINK}">x</a>` }],
  ])('is found: %s', async (_, files) => {
    const analysis = await analyzeSample(documentWith(files), 'a.docx');
    expect(hasKeyOf(analysis, 'domain', BAIT)).toBe(true);
    expect(analysis.unsupported).toBeUndefined();
  });

  it('is found: a program with the name of a picture', async () => {
    const analysis = await analyzeSample(documentWith({ 'word/media/a.png': PROGRAM }), 'a.docx');
    expect(hasKeyOf(analysis, 'sha256', sha256(PROGRAM))).toBe(true);
  });

  it.each([
    ['oleObject', `mhtml:${LINK}!x-usc:${LINK}`, [FETCHES]],
    ['attachedTemplate', 'file:///\\\\192.0.2.1\\share\\t.dotm', [FETCHES]],
    ['attachedTemplate', 'file:///C:\\Users\\anna\\Templates\\Normal.dotm', []],
    ['image', '\\\\192.0.2.1\\x.png', [FETCHES]],
    ['image', 'https://www.example.com/x.png', []],
    ['hyperlink', LINK, []],
    ['hyperlink', 'ms-msdt:/id PCWDiagnostic', [COMMANDS]],
  ])('is a finding by what it fetches, or is not: %s %s', async (type, target, signs) => {
    const document = documentWith({ 'word/_rels/settings.xml.rels': relation(type, target) });
    expect(signsOf(await analyzeSample(document, 'a.docx'))).toEqual(signs);
  });

  it.each([
    ['a field', { 'word/a.xml': '<w:instrText>DDE</w:instrText><w:instrText>AUTO c:\\x</w:instrText>' }],
    ['a simple field', { 'word/a.xml': '<w:fldSimple w:instr=" DDEAUTO c:\\x "/>' }],
    ['an action', { 'ppt/slides/slide1.xml': '<a:hlinkClick action="ppaction://program"/>' }],
    ['a link of a table', { 'xl/externalLinks/a.xml': '<ddeLink ddeService="cmd" ddeTopic="/c calc"/>' }],
  ])('is a finding for the command in %s', async (_, files) => {
    expect(signsOf(await analyzeSample(documentWith(files), 'a.docx'))).toEqual([COMMANDS]);
  });

  it('is not a command if it is only mentioned', async () => {
    const document = documentWith({ 'word/a.xml': '<w:t>DDEAUTO cmd.exe is how it was done</w:t>' });
    expect(signsOf(await analyzeSample(document, 'a.docx'))).toEqual([]);
  });

  it('is reported as not analyzed: macros', async () => {
    const macros = await analyzeSample(documentWith({ 'word/vbaProject.bin': 'x' }), 'a.docm');
    expect(macros.unsupported).toBe(MACROS_UNREAD);
    const sheet = { 'xl/macrosheets/sheet1.xml': '<c><f>EXEC("calc")</f></c>' };
    const old = await analyzeSample(documentWith(sheet), 'a.xlsm');
    expect(signsOf(old)).toEqual(['a document with macros']);
    expect(old.unsupported).toBe(MACROS_UNREAD);
    const names = { 'xl/workbook.xml': '<definedName name="_xlnm.Auto_Open">M!A1</definedName>' };
    expect(signsOf(await analyzeSample(documentWith({ ...sheet, ...names }), 'a.xlsm'))).toEqual([
      'a document whose macros run when it is opened',
    ]);
  });

  it('is not a macro: the empty list of macros in an OpenDocument text', async () => {
    const text = zipSync({
      mimetype: strToU8('application/vnd.oasis.opendocument.text'),
      'META-INF/manifest.xml': strToU8('x'),
      'content.xml': strToU8(`<text:p>${WORDS}</text:p>`),
      'Basic/script-lc.xml': strToU8('<library:libraries/>'),
      'Basic/Standard/script-lb.xml': strToU8('<library:library/>'),
    });
    const analysis = await analyzeSample(text, 'a.odt');
    expect(signsOf(analysis)).toEqual([]);
    expect(analysis.unsupported).toBeUndefined();
  });

  it('is analyzed to the end of a presentation with many pages', async () => {
    const pages = Array.from({ length: 90 }, (_, at) => [`ppt/slides/slide${at}.xml`, `<a:t>${WORDS}</a:t>`]);
    const analysis = await analyzeSample(documentWith(Object.fromEntries(pages)), 'a.pptx');
    expect(modelsAsked(analysis)).toEqual(['text_model']);
    expect(analysis.unsupported).toBeUndefined();
  });

  it('is encrypted according to its list of files', async () => {
    const text = zipSync({
      mimetype: strToU8('x'),
      'META-INF/manifest.xml': strToU8('<manifest:encryption-data/>'),
      'content.xml': strToU8('\x01\x02'),
      'meta.rdf': strToU8(WORDS),
    });
    expect((await analyzeSample(text, 'a.odt')).unsupported).toBe(
      'files in it are protected with a password',
    );
  });

  it('is reported as incomplete: a document in one piece of XML', async () => {
    const text = `<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:t>${WORDS}</w:t>`;
    expect((await analyzeSample(text, 'a.xml')).unsupported).toContain('an XML document');
    const plain = `<?xml version="1.0"?><note>${WORDS}</note>`;
    expect((await analyzeSample(plain, 'a.xml')).unsupported).toBeUndefined();
  });

  it('is protected with a password', async () => {
    const start = Buffer.from('d0cf11e0a1b11ae1', 'hex');
    const locked = Buffer.concat([start, Buffer.alloc(99), Buffer.from('EncryptedPackage', 'utf16le')]);
    expect((await analyzeSample(locked, 'a.docx')).unsupported).toBe(
      'it is a document protected with a password',
    );
  });

  it('is read quickly: relations that never end', async () => {
    const document = documentWith({ 'word/_rels/a.rels': `<Relationship Target='${'"a'.repeat(300_000)}` });
    expect(await processorMs(() => analyzeSample(document, 'a.docx'))).toBeLessThan(1000);
  });
});

describe('content of rich text beside benign words', () => {
  it.each([
    ['a template', '{\\*\\template https://login.example.com/x.dotm}', FETCHES],
    [
      'an escaped template',
      `{\\*\\template ${[...LINK].map((c) => `\\u${c.charCodeAt(0) - 65_536}?`).join('')}}`,
      FETCHES,
    ],
    ['a command', '{\\field{\\*\\fldinst DDEAUTO cmd.exe "/k calc"}}', COMMANDS],
  ])('is found: %s', async (_, group, sign) => {
    expect(signsOf(await analyzeSample(`{\\rtf1 ${WORDS}${group}}`, 'a.rtf'))).toEqual([sign]);
  });

  it('is reported as unread: an embedded object', async () => {
    const object = '{\\object\\objemb{\\*\\objclass Package}{\\*\\objdata 01050000}}';
    expect((await analyzeSample(`{\\rtf1 ${WORDS}${object}}`, 'a.rtf')).unsupported).toContain('object');
  });
});

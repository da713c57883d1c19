import { deflateRawSync, gzipSync } from 'node:zlib';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { analyzeSample, hasKeyOf, sha256 } from './testing/analyze-sample.ts';
import { buildMail, buildPdf, PROGRAM, WORDS } from './testing/samples.ts';

const BAIT = 'login.example.com';
const LINK = `https://${BAIT}/x`;
const WORD_FILE = {
  '[Content_Types].xml': strToU8('x'),
  'word/document.xml': strToU8(`<w:t>${WORDS}</w:t>`),
};

function wordWith(files: Zippable): Uint8Array {
  return zipSync({ ...WORD_FILE, ...files });
}

/** Changes the bytes at some distance from the last occurrence of a mark. */
function broken(zip: Uint8Array, mark: string, at: number, byte: number): Uint8Array {
  const bytes = Buffer.from(zip);
  bytes.writeUInt8(byte, bytes.lastIndexOf(mark, undefined, 'latin1') + at);
  return bytes;
}

function relations(xml: string): Uint8Array {
  return wordWith({ 'word/_rels/document.xml.rels': strToU8(xml) });
}

function mixedMail(...parts: readonly string[]): string {
  return buildMail(
    ['MIME-Version: 1.0', 'Content-Type: multipart/alternative; boundary=b'],
    `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`,
  );
}

/** A benign text with something in another place, which a reader could skip. */
describe('content that is hidden beside benign words', () => {
  it.each<[string, Uint8Array | string, string]>([
    [
      'a relation in single quotes',
      relations(`<Relationship Type='h' Target='${LINK}' TargetMode='External'/>`),
      'a.docx',
    ],
    [
      'a relation under a prefix',
      relations(`<r:Relationship Type="h" Target="${LINK}" TargetMode="External"/>`),
      'a.docx',
    ],
    [
      'a relation over lines',
      relations(`<Relationship\nTarget = "${LINK}"\nTargetMode = "External"/>`),
      'a.docx',
    ],
    ['a part of another name', wordWith({ 'word/other.xml': strToU8(`<w:t>${LINK}</w:t>`) }), 'a.docx'],
    ['endnotes', wordWith({ 'word/endnotes.xml': strToU8(`<w:t>${LINK}</w:t>`) }), 'a.docx'],
    [
      'a cell',
      zipSync({
        '[Content_Types].xml': strToU8('x'),
        'xl/sharedStrings.xml': strToU8(`<si><t>${WORDS}</t></si>`),
        'xl/worksheets/sheet1.xml': strToU8(`<c><f>HYPERLINK("${LINK}")</f></c>`),
      }),
      'a.xlsx',
    ],
    [
      'an OpenDocument link',
      zipSync({
        mimetype: strToU8('x'),
        'META-INF/manifest.xml': strToU8('x'),
        'content.xml': strToU8(`<text:p>${WORDS}<text:a xlink:href="${LINK}">x</text:a></text:p>`),
      }),
      'a.odt',
    ],
    [
      'a field of rich text',
      `{\\rtf1 ${WORDS} {\\field{\\*\\fldinst HYPERLINK "${LINK}"}{\\fldrslt x}}}`,
      'a.rtf',
    ],
    [
      'escaped rich text',
      `{\\rtf1 ${WORDS} ${[...LINK].map((c) => `\\'${c.charCodeAt(0).toString(16)}`).join('')} x}`,
      'a.rtf',
    ],
    [
      'rich text in Unicode',
      `{\\rtf1 ${WORDS} ${[...LINK].map((c) => `\\u${c.charCodeAt(0)}?`).join('')} x}`,
      'a.rtf',
    ],
    [
      'the page of a mail',
      mixedMail(
        `Content-Type: text/plain\r\n\r\n${WORDS}`,
        `Content-Type: text/html\r\n\r\n<p>see ${BAIT}/x`,
      ),
      'a.eml',
    ],
    [
      'a page that begins with words',
      `${WORDS}\n<a href="&#104;ttps://login&#46;example.com/x">x</a>`,
      'a.html',
    ],
    [
      'a mail with an unknown header',
      `X: y\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(`${WORDS} ${LINK}`).toString('base64')}`,
      'a.eml',
    ],
    [
      'a string of a PDF with parentheses in it',
      buildPdf([`BT (${WORDS} (today) see ${BAIT}/x) Tj ET`]),
      'a.pdf',
    ],
    ['the 2nd member of a gzip file', Buffer.concat([gzipSync(WORDS), gzipSync(` ${LINK}`)]), 'a.txt.gz'],
  ])('is found: %s', async (_, sample, name) => {
    expect(hasKeyOf(await analyzeSample(sample, name), 'domain', BAIT)).toBe(true);
  });

  it.each([
    ['a Word document', wordWith({ 'setup.exe': PROGRAM })],
    ['a Word document, among its parts', wordWith({ 'word/setup.exe': PROGRAM })],
    [
      'an OpenDocument text',
      zipSync({
        mimetype: strToU8('x'),
        'META-INF/manifest.xml': strToU8('x'),
        'content.xml': strToU8(WORDS),
        'a.exe': PROGRAM,
      }),
    ],
  ])('is found: a program in %s', async (_, sample) => {
    expect(hasKeyOf(await analyzeSample(sample, 'a.zip'), 'sha256', sha256(PROGRAM))).toBe(true);
  });

  it.each<[string, Uint8Array | string, string]>([
    [
      'an entry that is not where it should be',
      broken(zipSync({ 'a.txt': strToU8(WORDS), 'b.exe': PROGRAM }), 'PK\x03\x04', 3, 9),
      'a.zip',
    ],
    [
      'a stored entry that is cut',
      broken(zipSync({ 'a.txt': strToU8(WORDS), 'b.exe': PROGRAM }, { level: 0 }), 'PK\x01\x02', 22, 9),
      'a.zip',
    ],
    [
      'a locked part of a document',
      broken(wordWith({ 'word/footnotes.xml': strToU8(WORDS) }), 'PK\x01\x02', 8, 1),
      'a.docx',
    ],
    [
      'a part of a document in another packing',
      broken(wordWith({ 'word/footnotes.xml': strToU8(WORDS) }), 'PK\x01\x02', 10, 12),
      'a.docx',
    ],
    [
      'packed data that end too soon',
      Buffer.concat([gzipSync('').subarray(0, 10), deflateRawSync(WORDS.repeat(9)).subarray(0, 60)]),
      'a.txt.gz',
    ],
    ['rich text beyond what is read', `{\\rtf1 ${WORDS}${'{\\*\\x }'.repeat(200_000)}${WORDS}}`, 'a.rtf'],
    [
      'links beyond those that are judged',
      `<html>${WORDS}${Array.from({ length: 40 }, (_x, at) => `<a href="https://a${at}.example.com/">x</a>`).join('')}`,
      'a.html',
    ],
    [
      'links beyond those that are looked up',
      `<html>${WORDS}${Array.from({ length: 400 }, (_x, at) => `<a href="https://a.example.com/${at}">x</a>`).join('')}`,
      'a.html',
    ],
    [
      'links of a text beyond those that are read',
      `${WORDS} ${Array.from({ length: 300 }, (_x, at) => `https://a.example.com/${at}`).join(' ')}`,
      'a.txt',
    ],
    [
      'streams of a PDF beyond those that are read',
      buildPdf([`BT (${WORDS}) Tj ET`, `BT (${'x '.repeat(60_000)}) Tj ET`, `BT (${WORDS}) Tj ET`]),
      'a.pdf',
    ],
    [
      'a text in a language that no model knows',
      zipSync({ 'a.txt': strToU8(WORDS), 'b.txt': strToU8('ບັນຊີທະນາຄານຂອງທ່ານຖືກລະງັບກະລຸນາຢືນຢັນ '.repeat(6)) }),
      'a.zip',
    ],
    ['words of a page beyond those that are read', `<html>${WORDS}${' '.repeat(100_000)}${WORDS}`, 'a.html'],
    [
      'more files in a PDF than are opened',
      buildPdf(
        [`BT (${WORDS}) Tj ET`],
        Array.from({ length: 60 }, (_x, at) => `<< /Type /EmbeddedFile >>\nstream\n${WORDS}${at}\nendstream`),
      ),
      'a.pdf',
    ],
  ])('is reported as unread: %s', async (_, sample, name) => {
    expect((await analyzeSample(sample, name)).unsupported).toBeDefined();
  });
});

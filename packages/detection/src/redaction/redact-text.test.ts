import { repetitions } from '@tps/testing/soak';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactText } from './redact-text.ts';

const FRAGMENTS = [
  ...[
    'jane@example.com',
    '"jane doe"@x.co',
    '@',
    'a@',
    '@b.co',
    'jane',
    '[at]',
    '%40',
    '[.]',
    '\u200b',
    '＠',
  ],
  ...[
    'https://',
    '://',
    'http://a.example/x',
    'www.',
    'example.com',
    '/',
    '?',
    '#',
    ':443',
    ',https://',
    ')',
    '(',
    '[',
  ],
  ...[
    '192.168.1.77',
    '1.2.3',
    '.4',
    '/24',
    '/8',
    '/32',
    '2001:db8::1',
    '::',
    'fe80::1',
    '%eth0',
    ':',
    '::ffff:',
    'v',
  ],
  ...[
    '+49 151 12345678',
    '0151',
    '1234567',
    '555-123-4567',
    '+',
    '00',
    '555-',
    '1234',
    'Tel. ',
    'ext. 5',
    '１２３',
  ],
  ...[
    'Mr. ',
    'Jane',
    'Doe',
    ' Jane Doe ',
    'Mark',
    'Smith',
    'from ',
    'my name is ',
    'von ',
    "'s",
    'GmbH',
    '.',
    ' ',
    '\n',
  ],
  ...[
    'DE44',
    ' 5001 0517 5407 3249 31',
    '4539 5260 1815 9083',
    'passport ',
    'AB1234567',
    'plate ',
    'B-MW 12',
    'born ',
  ],
  ...[
    '17.05.1980',
    ' May ',
    'Hauptstr. ',
    '5',
    ' Baker Street',
    'C:\\Users\\',
    '/home/',
    '0:1a:2b:3c:4d:5e',
    '48392015S',
  ],
  ...[
    'rue de la ',
    'Via ',
    '12,',
    'IMEI',
    '352099353799071',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    '[card]',
    '[address]',
  ],
  ...[
    '[email]',
    '[name]',
    '[phone]',
    '[redacted]',
    'url:sha256:',
    `url:sha256:${'a'.repeat(64)}`,
    '~2',
    '-',
    '_',
    ']',
  ],
  ['&nbsp;', '&#45;', '&#49;', '&lt;', '&amp;', '|', '*', ',', '\t'],
];
const composed = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 14 }).map((parts) => parts.join(''));
const anyText = fc.string({ unit: 'grapheme', maxLength: 60 });

describe('redacting a text', () => {
  it.each([
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'd41d8cd98f00b204e9800998ecf8427e',
    'sig:android.trojan.banker.42',
    'YARA_Android_Emotet_2024_01',
    'com.android.chrome',
    'evt_01HV5K2J8Q9W0X7Y6Z5A4B3C2D',
    'dev_0123456789 pol_9876543210',
    '550e8400-e29b-41d4-a716-446655440000',
    '2024-05-17T09:30:00.123Z',
    'Version 10.0.19045.3, build 1.2.3',
    'Paid $1,234.56 and 99,90 €',
    'confidence 0.98765432',
    'Screen overlay over the banking app 🏦 — call active',
    '偽のサポート詐欺を検出しました',
    '',
  ])('keeps %s as it is', (written) => {
    expect(redactText(written)).toBe(written);
  });

  it('replaces several kinds in one description and keeps the rest', () => {
    expect(redactText('Jane Doe (jane@example.com, +49 151 12345678) at 10.1.2.3 said [ok].')).toBe(
      '[name] ([email], [phone]) at 10.1.2.0/24 said [ok].',
    );
  });

  it('keeps text that is already redacted', () => {
    const redacted = `[email] [name] [phone] url:sha256:${'0a'.repeat(32)} 1.2.3.0/24 2001:db8:1::/48`;
    expect(redactText(redacted)).toBe(redacted);
  });

  it('never reads into the digest of a hashed URL', () => {
    const hashed = `url:sha256:${'0a'.repeat(32)}`;
    expect(redactText(`${hashed}@example.com`)).toBe(`${hashed}@example.com`);
    expect(redactText(`${hashed}https://a.example`).startsWith(`${hashed}url:sha256:`)).toBe(true);
  });

  it('is idempotent over arbitrary text', () => {
    fc.assert(
      fc.property(anyText, (text) => redactText(redactText(text)) === redactText(text)),
      { numRuns: repetitions({ short: 200, soak: 2_000 }) },
    );
  });

  it('is idempotent over text composed of critical fragments, and always finishes', () => {
    const settles = (text: string): void => {
      const once = redactText(text);
      expect(redactText(once)).toBe(once);
      if (!text.includes('[redacted]')) expect(once).not.toContain('[redacted]');
    };
    fc.assert(fc.property(composed, settles), { numRuns: repetitions({ short: 500, soak: 5_000 }) });
  });

  it('never keeps an address between separators', () => {
    const address = fc.constantFrom(
      'jane@example.com',
      'https://a.example/x',
      '192.0.2.77',
      '2001:db8:1:2::77',
    );
    const words = fc.array(fc.constantFrom('blocked', 'Warning:', '(see)', 'und', '3', '…', '\n', 'x,'), {
      maxLength: 6,
    });
    const hidesIt = (before: string[], secret: string, after: string[]): void => {
      expect(redactText([...before, secret, ...after].join(' '))).not.toContain(secret);
    };
    fc.assert(fc.property(words, address, words, hidesIt));
  });

  it.each(
    [
      'a',
      '1',
      'a@',
      'a.b/',
      'http://a,',
      '"@',
      '(1)',
      '[',
      'a:b:c:',
      '0999 ',
      '+1 ',
      'Jane ',
      'Mr. ',
      '１',
      '4 ',
      'passport a1 ',
      'C/ A 1 ',
      '0a:',
      'fe80::g ',
    ].map((unit) => [unit]),
  )('finishes on 1 MiB of %j', (unit) => {
    const hostile = unit.repeat(Math.ceil(2 ** 20 / unit.length));
    expect(redactText(hostile).length).toBeGreaterThan(0);
  });
});

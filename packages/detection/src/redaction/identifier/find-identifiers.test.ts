import { describe, expect, it } from 'vitest';
import { redactText } from '../redact-text.ts';
import { BY_CONTEXT } from '../testing/numbers-by-context.ts';
import { WITH_CHECKSUMS } from '../testing/numbers-with-checksums.ts';
import { readExample, type WrittenExamples } from '../testing/written-example.ts';

const MIN_RECALL = 0.98;
const MIN_RECALL_BY_CONTEXT = 0.95;

type Result = { mark: string; found: number; count: number; missed: string };

function resultsOf(examples: WrittenExamples): Result[] {
  return Object.entries(examples).map(([mark, texts]) => {
    const missed = texts.filter((text) => {
      const { written, expected } = readExample(text, mark);
      return redactText(written) !== expected;
    });
    const count = texts.length;
    return { mark, found: count - missed.length, count, missed: missed.join('\n') };
  });
}

describe('a card number in groups of at least four digits', () => {
  it.each([
    '4111 11111111 1111',
    '37828 22463 10005',
    '41111111 1111 1111',
    '4111-1111-11111111',
    '55555 55555 554444',
    '3782 8224 6310005',
  ])('is redacted: %s', (written) => {
    expect(redactText(`paid with ${written} today`)).toBe('paid with [card] today');
  });

  it.each(['4111 11111111 1112', '411 1111111111 111', '41 11 1111 1111 1111', '9111 11111111 1111'])(
    'is not found in %s',
    (written) => {
      expect(redactText(`paid with ${written} today`)).not.toContain('[card]');
    },
  );
});

describe('written examples', () => {
  it.each(resultsOf(WITH_CHECKSUMS))('with check digits: $mark for $found of $count', (result) => {
    expect(result.found / result.count, result.missed).toBeGreaterThanOrEqual(MIN_RECALL);
  });

  it.each(resultsOf(BY_CONTEXT))('with a word or a form: $mark for $found of $count', (result) => {
    expect(result.found / result.count, result.missed).toBeGreaterThanOrEqual(MIN_RECALL_BY_CONTEXT);
  });
});

describe('what an analyst needs', () => {
  it.each([
    ['the host of a link', 'See passport-renewal2024.com and DE44500105175407324931.com'],
    ['a host in a sentence', 'Kennzeichen: ab12-login.com, your plate AB12.example.com'],
    ['a host after a date', 'born 17.05.1980evil.com'],
    ['a host after a street', 'at 5 Baker Street.evil.com'],
    ['an amount', 'pay 4539.52 EUR, 1.234.567,89 € or 123.456.789,09'],
    ['an amount after a word', 'Passport: transfer 1200000 IDR, passport fee 120 EUR, Kennzeichen 250 EUR'],
    ['a payment by an app', 'Paga via PayPal 50 € o via WhatsApp 2 volte'],
    ['a seat', 'Wagen 23, Platz 44, Sitzplatz 12'],
    ['a date', 'Your passport expires 12.05.2030, appointment 12/05/2026 at 10:30'],
    ['a scale', '1 2 3 4 5 6 7 8 9 10, how likely are you to recommend us?'],
    ['a birthday offer', 'Happy birthday! 20 % off until 31.12.2026'],
    ['a code', 'Your code is 999999. If you did not request it, call your bank'],
    ['a tracking number', 'Sendung 00340434161094, 9400111899223100012345'],
    ['a card of another checksum', 'order 4539526018159084'],
    ['an account of another checksum', 'DE44500105175407324932'],
    ['a fingerprint', 'SHA1 00:1a:2b:3c:4d:5e:6f:70:81:92:a3:b4:c5:d6:e7:f8:09:1a:2b:3c'],
    ['a hash and a transaction', `sha1 356a192b7913b04c54574d18c28d46e6395428ab 0x${'ab12'.repeat(16)}`],
    ['ids of this service', 'evt_01HV5K2J8Q9W0X7Y6Z5A4B3C2D dev_44051401359 job_4539526018159083'],
    ['shared folders', 'C:\\Users\\Public\\x.exe and /Users/Shared/y and /var/home'],
    ['a time by minutes', '5 minutes to Baker Street, 12 people on the road'],
  ])('%s stays', (_case, written) => {
    expect(redactText(written)).toBe(written);
  });
});

describe('numbers that are hidden', () => {
  it.each([
    ['by zero-width characters', '4539\u200b5260\u200d1815\u20609083', '[card]'],
    [
      'by combining marks',
      '4\u03365\u03363\u03369\u03365\u03362\u03366\u03360\u03361\u03368\u03361\u03365\u03369\u03360\u03368\u03363\u0336',
      '[card]\u0336',
    ],
    ['by blank letters', '4539\u31645260\u31641815\u31649083', '[card]'],
    ['by emoji', '4539🙂5260🙂1815🙂9083', '[card]'],
    ['by signs', 'DE44*5001*0517*5407*3249*31', '[iban]'],
    ['by two signs', 'DE44 - 5001 - 0517 - 5407 - 3249 - 31', '[iban]'],
    ['by digits of another script', '٤٥٣٩ ٥٢٦٠ ١٨١٥ ٩٠٨٣', '[card]'],
    ['by styled digits', '𝟒𝟓𝟑𝟗𝟓𝟐𝟔𝟎𝟏𝟖𝟏𝟓𝟗𝟎𝟖𝟑', '[card]'],
    [
      'by a word that is joined',
      'IBANDE44500105175407324931 and PESEL44051401359',
      'IBAN[iban] and PESEL[national-id]',
    ],
    ['by a fold of lines', 'PL61 1090 1014\r\n0000 0712 1981 2874', '[iban]'],
    ['in a host without a suffix', '4539526018159083.pdf', '[card].pdf'],
    ['before a word that is a suffix', '4539 5260 1815 9083.so i paid', '[card].so i paid'],
    ['before a host', 'DE44 5001 0517 5407 3249 31-me.example.com', '[iban]-me.example.com'],
  ])('%s are found', (_case, written, expected) => {
    expect(redactText(written)).toBe(expected);
  });

  it('a list after one word is replaced as a whole, however long it is', () => {
    const list = Array.from({ length: 40 }, (_, at) => `AB${1234567 + at}`).join(', ');
    expect(redactText(`passports ${list}`)).toBe(`passports ${list.replaceAll(/AB\d+/g, '[document]')}`);
  });

  it('a placeholder introduces nothing', () => {
    const text = '[card] [document] AB1234567 [plate] B-MW 1234 [birth-date] 17.05.1980';
    expect(redactText(text)).toBe(text);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactText } from './redact-text.ts';

/** What mails, tables, exports and pages have between two groups where people write a space. */
const BLANKS = ['\t', '\n', '\r\n', '\n ', '\u0085', '\u2028'];
const SIGNS = ['_', '*', ',', '|'];
const REFERENCES = [
  ...['&nbsp;', '&#160;', '&#xA0;', '&#x000a0;', '&amp;nbsp;', '&ensp;', '&thinsp;', '&Tab;', '&#10;'],
];

const NUMBERS: readonly (readonly [groups: readonly string[], mark: string])[] = [
  [['+49', '151', '1234', '5678'], '[phone]'],
  [['+33', '6', '12', '34', '56', '78'], '[phone]'],
  [['0151', '12345678'], '[phone]'],
  [['020', '7946', '0958'], '[phone]'],
  [['202', '555', '0123'], '[phone]'],
  [['(202)', '555', '0123'], '[phone]'],
  [['4539', '5260', '1815', '9083'], '[card]'],
  [['DE44', '5001', '0517', '5407', '3249', '31'], '[iban]'],
  [['Hauptstraße', '5'], '[address]'],
];
/** A comma between two words is of a sentence. */
const WORDS: typeof NUMBERS = [[['221B', 'Baker', 'Street'], '[address]']];

const between = (separators: readonly string[]) =>
  [...NUMBERS, ...(separators.includes(',') ? [] : WORDS)].flatMap(([groups, mark]) =>
    separators.map((separator) => [groups.join(separator), mark] as const),
  );

describe('the groups of a number or address', () => {
  it.each(between(BLANKS))('may have a tab or a line end between them: %j', (written, mark) => {
    expect(redactText(`see ${written} now`)).toBe(`see ${mark} now`);
  });

  it.each(between(SIGNS))('may have the sign of a table between them: %j', (written, mark) => {
    expect(redactText(`see ${written} now`)).toBe(`see ${mark} now`);
  });

  it.each(between(REFERENCES))('may have a character reference of HTML between them: %j', (written, mark) => {
    expect(redactText(`see ${written} now`)).toBe(`see ${mark} now`);
  });

  it.each([
    ['+49&ndash;151&#45;1234&hyphen;5678', '[phone]'],
    ['4539&shy;5260&#8203;1815&zwnj;9083', '[card]'],
    ['221B_Baker|Street', '[address]'],
    ['Tel. 612\t345\t678', 'Tel. [phone]'],
    ['call 555_1234', 'call [phone]'],
    ['+49 151\n1234 5678', '[phone]'],
    ['born 17|05|1980', 'born [birth-date]'],
    ['12 rue de la\nPaix', '[address]'],
    ['jane&#64;example.com', '[email]'],
    ['&lt;jane@example.com&gt;', '&lt;[email]&gt;'],
    ['Frau M&uuml;ller', 'Frau [name]'],
    ['Musterstra&szlig;e&nbsp;5', '[address]'],
    ['&#43;49 151 &#49;2345678', '[phone]'],
  ])('%j becomes %j', (written, expected) => {
    expect(redactText(written)).toBe(expected);
  });
});

it('a character reference does not end a link', () => {
  expect(redactText('see https://a.example/x?a=1&amp;b=&gt;2&nbsp;3')).toMatch(
    /^see url:sha256:[\da-f]{64}$/,
  );
});

describe('a separator that ends a number', () => {
  it.each([
    ['+49 30 123456\n25 people', '[phone]\n25 people'],
    ['0151 12345678\n10115 Berlin', '[phone]\n10115 Berlin'],
    ['+49 30 123456, 3 times', '[phone], 3 times'],
    ['| +49 30 123456 | 25 |', '| [phone] | 25 |'],
    ['0151 12345678\n0170 7654321', '[phone]\n[phone]'],
    ['0151 12345678\t0170 7654321', '[phone]\t[phone]'],
    ['0151 12345678,50', '[phone],50'],
    ['0151 12345678,50,60,70', '[phone],50,60,70'],
    ['030 123 456,789', '[phone],789'],
    ['Ref 0123\n0151 12345678', 'Ref 0123\n[phone]'],
    ['0123|0151 12345678|', '0123|[phone]|'],
    ['202-555-0123\n212-555-0199', '[phone]\n[phone]'],
    ['Phone: (01) 605 3737 / (086) 880 4187', 'Phone: [phone] / [phone]'],
    ['Hauptstraße | 12 Station Road', 'Hauptstraße | [address]'],
    ['12 rue de la Paix\nParis', '[address]\nParis'],
    ['2024-01-15\n0151 12345678', '2024-01-15\n[phone]'],
  ])('%j becomes %j', (written, expected) => {
    expect(redactText(written)).toBe(expected);
  });

  it.each([
    ...[
      '+49,123,456 views',
      'gained +1,234,567 followers',
      '01,234,567',
      '1,234,567.89',
      'WhatsApp prize of 25,00,000',
      '0,12345678',
    ],
    ...[
      '+48.8566,2.3522',
      '05,10,15,20,25',
      '03|12|17|25|36|44',
      '01_02_2024',
      '01|02|2024',
      '2024_01_15_103000',
    ],
    ...['1\n2\n3\n4\n5\n6\n7\n8', '100\t200\t300', 'IMG_20240115_0151', 'AT&T, R&D &c; &#xZZ; &unknown; &'],
  ])('%j stays', (written) => {
    expect(redactText(written)).toBe(written);
  });
});

it('redacting numbers with any separators is idempotent', () => {
  const separator = fc.constantFrom(...BLANKS, ...SIGNS, ...REFERENCES, ' ', '-', '. ', ', ', ' | ', '&amp;');
  const part = fc.constantFrom(...NUMBERS.flatMap(([groups]) => groups), '25', '0', 'call', '[phone]', '&');
  const text = fc.array(fc.tuple(part, separator), { maxLength: 14 }).map((pairs) => pairs.flat().join(''));
  const settles = (written: string): void => {
    const once = redactText(written);
    expect(redactText(once)).toBe(once);
    expect(once).not.toContain('[redacted]');
  };
  fc.assert(fc.property(text, settles), { numRuns: 5_000 });
});

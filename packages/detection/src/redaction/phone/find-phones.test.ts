import { describe, expect, it } from 'vitest';
import { redactText } from '../redact-text.ts';

describe('phone numbers', () => {
  it.each([
    ['Argentina', '+54 9 11 2345-6789'],
    ['Australia', '+61 412 345 678'],
    ['Austria', '+43 664 1234567'],
    ['Belgium', '+32 470 12 34 56'],
    ['Brazil', '+55 11 96123-4567'],
    ['Canada', '+1 506-234-5678'],
    ['Chile', '+56 2 2123 4567'],
    ['China', '+86 131 2345 6789'],
    ['Colombia', '+57 321 1234567'],
    ['Czechia', '+420 601 123 456'],
    ['Denmark', '+45 32 12 34 56'],
    ['Egypt', '+20 100 123 4567'],
    ['Finland', '+358 41 2345678'],
    ['France', '+33 6 12 34 56 78'],
    ['Germany', '+49 (0) 151 12345678'],
    ['Greece', '+30 691 234 5678'],
    ['Hong Kong', '+852 5123 4567'],
    ['Hungary', '+36 20 123 4567'],
    ['India', '+91 81234 56789'],
    ['Indonesia', '+62 812-345-678'],
    ['Ireland', '+353 85 012 3456'],
    ['Israel', '+972 50-234-5678'],
    ['Italy', '+39 312 345 6789'],
    ['Japan', '+81 90-1234-5678'],
    ['Kenya', '+254 712 123456'],
    ['Korea', '+82 10-2000-0000'],
    ['Mexico', '+52 222 123 4567'],
    ['Morocco', '+212 650-123456'],
    ['Netherlands', '+31 6 12345678'],
    ['New Zealand', '+64 21 123 4567'],
    ['Nigeria', '+234 802 123 4567'],
    ['Norway', '+47 406 12 345'],
    ['Pakistan', '+92 301 2345678'],
    ['Philippines', '+63 905 123 4567'],
    ['Poland', '+48 512 345 678'],
    ['Portugal', '+351 912 345 678'],
    ['Romania', '+40 712 034 567'],
    ['Russia', '+7 912 345-67-89'],
    ['Saudi Arabia', '+966 51 234 5678'],
    ['Singapore', '+65 8123 4567'],
    ['South Africa', '+27 71 123 4567'],
    ['Spain', '+34 612 34 56 78'],
    ['Sweden', '+46 70 123 45 67'],
    ['Switzerland', '+41 78 123 45 67'],
    ['Türkiye', '+90 501 234 56 78'],
    ['Ukraine', '+380 50 123 4567'],
    ['United Arab Emirates', '+971 50 123 4567'],
    ['United Kingdom', '+44 7400 123456'],
    ['United States', '+1 (201) 555-0123'],
    ['Vietnam', '+84 91 234 56 78'],
  ])('of %s is found in international spelling: %s', (_country, number) => {
    expect(redactText(`Scam from ${number}, blocked.`)).toBe('Scam from [phone], blocked.');
    expect(redactText(number.replaceAll(/[ ()-]/g, ''))).toBe('[phone]');
  });

  it.each([
    ['0033 1 23 45 67 89', '[phone]'],
    ['011 49 30 1234567', '[phone]'],
    ['+1 555 123 4567', '[phone]'],
    ['555-123-4567', '[phone]'],
    ['(555) 123-4567', '[phone]'],
    ['202.555.0123', '[phone]'],
    ['1-800-555-1234', '[phone]'],
    ['202-555-0123 ext. 45', '[phone]'],
    ['020 7946 0958', '[phone]'],
    ['07700 900123', '[phone]'],
    ['0151/1234567', '[phone]'],
    ['01 23 45 67 89', '[phone]'],
    ['01.23.45.67.89', '[phone]'],
    ['06 12345678', '[phone]'],
    ['(11) 96123-4567', '[phone]'],
    ['Tel. 612 345 678', 'Tel. [phone]'],
    ['Tel.: 612 345 678', 'Tel.: [phone]'],
    ['tel:+1-201-555-0123', 'tel:[phone]'],
    ['téléphone 612345678', 'téléphone [phone]'],
    ['call me at 2015550123 today', 'call me at [phone] today'],
    ['call 555-1234', 'call [phone]'],
    ['mobile 98765 43210', 'mobile [phone]'],
    ['电话13812345678', '电话[phone]'],
    ['＋４９ １５１ １２３４５６７８', '[phone]'],
    ['٠١٥١١٢٣٤٥٦٧', '[phone]'],
    ['+49\u00a0151\u201112345678', '[phone]'],
    ['+49151\u200b12345678', '[phone]'],
    ['0151 12345678 10:30', '[phone] 10:30'],
    ['0151 12345678 0170 7654321', '[phone] [phone]'],
    ['+49 151 12345678. 2024 was', '[phone]. 2024 was'],
    ['2024-01-15 0151 12345678', '2024-01-15 [phone]'],
  ])('%s becomes %s', (written, expected) => {
    expect(redactText(written)).toBe(expected);
  });

  it.each([
    '2024-01-15',
    '2024-01-15T10:30:00.000+01:00',
    '15.01.2024 10:30',
    '01/02/2024',
    '1700000000',
    'order 1234567890',
    'paid 1,234,567.89 EUR',
    '$0151 1234567',
    '€1.234.567,89',
    'score 0.12345678',
    '550e8400-e29b-41d4-a716-446655440000',
    'evt_0151123456789',
    'sig:12345678',
    '4111 1111 1111 1112',
    '12345678901234567890',
    '+12 points',
    '81234567890',
    '8 100 200 300',
    '100 200 300',
    '(1)(2)(3)(4)(5)(6)(7)',
    '00112233445566778899aabbccddeeff',
  ])('%s is not a phone number and stays', (written) => {
    expect(redactText(written)).toBe(written);
  });

  it.each([
    '03.07 - 17.07.15',
    '05.10-09.10.2015',
    '03.08.15-04.08.15',
    '01/2024-12/2024',
    'offen 09.00 - 17.30',
    '08.15-09.45-11.15',
    '03.12.24 10.12.24 17.12.24',
    'Mo-Fr 08.00-12.00',
    'lotto 03 12 17 25 36 44',
    '01.04. - 30.09.',
    '07.00 - 08.30 - 10.00',
    '02.01.2026 - 04.01.2026',
    'Sa 09.30-13.00, So 10.00-12.00',
  ])('%s is a date, hours or a list and stays', (written) => {
    expect(redactText(written)).toBe(written);
  });

  it.each([
    'Rechnung Nr. 0211 4567890',
    'Order 0171 1234567',
    'Ticket 0800-1234567',
    'customer number 020 7946 0018',
    'invoice no. 0161 496 0123',
    'Version 01.42.68.53.00',
    'serial 0151-12345678',
    'ISBN 0306406152',
    'UPC 036000291452',
    'SKU 0123-4567-8901',
    'commit 0304050607',
    'train ICE 0571 1012',
    'PLZ 04109 0341',
    'Kundennummer: 0211 4567890',
    'facture n° 01 42 68 53 00',
    'pedido 0171 1234567',
    'Sendungsnummer 0340 4345 6789',
    'tracking #0151 12345678',
  ])('the word before a number says that it is not dialled: %s', (written) => {
    expect(redactText(written)).toBe(written);
  });

  it.each([
    ['order hotline 0211 4567890', 'order hotline [phone]'],
    ['Ticket? Call 0171 1234567', 'Ticket? Call [phone]'],
    ['order +49 171 1234567', 'order [phone]'],
    ['Version 2. Tel. 01.42.68.53.00', 'Version 2. Tel. [phone]'],
    ['in order to win 0171 1234567', 'in order to win [phone]'],
    ['02/123-45-67', '[phone]'],
  ])('a number that is dialled is found beside such words: %s', (written, expected) => {
    expect(redactText(written)).toBe(expected);
  });

  it.each([
    '8 912 345-67-89',
    '89123456789',
    '8-800-555-35-35',
    '8 (912) 345-67-89',
    '8 495 123-45-67',
    '8 (800) 555 35 35',
  ])('the prefix 8 of Russia begins a number: %s', (written) => {
    expect(redactText(`звони ${written} сейчас`)).toBe('звони [phone] сейчас');
  });

  it('the numbering plans decide about every candidate, however many a text has', () => {
    const text = '0123456789012345 [name] '.repeat(5_000);
    expect(redactText(text)).toBe(text);
    expect(redactText(`${text}0151 12345678`)).toBe(`${text}[phone]`);
  });
});

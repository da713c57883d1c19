import { describe, expect, test } from 'vitest';
import type { ImportOptions } from './collector.ts';
import { detectFormat, importIndicators } from './import-indicators.ts';

/** Imports a file whose format is detected, as `tps indicators import` does. */
function importFile(content: string | Uint8Array, filename = 'a.txt', options: Partial<ImportOptions> = {}) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const format = detectFormat(filename, bytes);
  if (format === undefined) throw new Error('no format');
  const { indicators, skipped } = importIndicators(bytes, { format, source: 'test-list', ...options });
  return { values: indicators.map(({ value }) => value), skipped };
}

const indicator = (value: string, at: number, members: object = {}) => ({
  type: 'indicator',
  spec_version: '2.1',
  id: `indicator--00000000-0000-4000-8000-00000000000${at}`,
  created: '2026-01-01T00:00:00.000Z',
  modified: '2026-01-01T00:00:00.000Z',
  pattern: `[domain-name:value = '${value}']`,
  pattern_type: 'stix',
  valid_from: '2026-01-01T00:00:00Z',
  ...members,
});

describe('a list that names a site that people use every day', () => {
  test.each([
    'paypal.com',
    'www.paypal.com',
    'login.paypal.com',
    'https://www.paypal.com/',
    'login.microsoftonline.com',
    'schemas.microsoft.com',
    'sparkasse.de',
    'amazon.com',
    'chase.com',
    'zoom.us',
    'spotify.link',
    'blog.google',
    'icloud.com',
    'ibm.com',
    '8.8.8.8',
    '1.1.1.1',
    '9.9.9.9/32',
    '2001:4860:4860::8888',
    'http://8.8.4.4/',
    'sendgrid.net',
    'list-manage.com',
    'onelink.me',
    'awstrack.me',
    'pstmrk.it',
    'urldefense.com',
  ])('skips %s and says where it is, unless that is allowed', (value) => {
    const list = `real-evil.com\n${value}\n`;
    const { values, skipped } = importFile(list);
    expect(values).toEqual(['real-evil.com']);
    expect(skipped).toEqual([
      { where: 'line 2', why: expect.stringMatching(/every day|anyone can publish/) },
    ]);
    const allowed = importFile(list, 'a.txt', { wellKnown: true, wholeHosts: true });
    expect(allowed.values).toHaveLength(2);
  });

  test.each([
    'https://www.paypal.com/invoice/p/evil',
    'paypal.com.evil-desk.top',
    'paypal-secure.com',
    'paypal.io',
    'xn--pypal-4ve.com',
    'evil.us4.list-manage.com',
    'evil.blob.core.windows.net',
    'evil.s3.amazonaws.com',
    '8.8.8.9',
    'evil.blogspot.com',
  ])('keeps %s', (value) => {
    expect(importFile(`${value}\n`).values).toHaveLength(1);
  });
});

describe('ranges and patterns', () => {
  test.each(['185.234.0.0/16', '185.234.12.0/24 # why', '2a02:26f7::/32', '185.234.0.0/0', '185.234.1.0/31'])(
    'a list does not get an indicator from the range %s',
    (range) => {
      const { values, skipped } = importFile(`${range}\nok-one.com\n`);
      expect(values).toEqual(['ok-one.com']);
      expect(skipped).toEqual([{ where: 'line 1', why: expect.stringContaining('a range of IP addresses') }]);
    },
  );

  test.each([
    ['a list', 'a.txt', '185.234.11.5/32\n'],
    ['a table', 'a.csv', 'ip,x\n185.234.11.5/32,x\n'],
    [
      'STIX',
      'a.json',
      JSON.stringify({
        type: 'bundle',
        objects: [indicator('', 1, { pattern: "[ipv4-addr:value = '185.234.11.5/32']" })],
      }),
    ],
    [
      'MISP',
      'a.json',
      JSON.stringify({ Event: { Attribute: [{ type: 'ip-dst', value: '185.234.11.5/32', to_ids: true }] } }),
    ],
    [
      'MISP, in longer form',
      'a.json',
      JSON.stringify({ Event: { Attribute: [{ type: 'ip-src', value: '185.234.11.5/32', to_ids: true }] } }),
    ],
  ])('a range of one address is that address in %s', (_, filename, content) => {
    expect(importFile(content, filename).values).toEqual(['185.234.11.5']);
  });

  test('a range of one IPv6 address is that address', () => {
    expect(importFile('2a02:26f7::5/128\n').values).toEqual(['2a02:26f7::5']);
  });

  test.each([
    'df-two.com/*',
    'http://df-three.com/login*',
    'a*.df-four.com',
    'df-five.*',
    'https://*.df-six.com/x',
  ])('the pattern %s is skipped, because it would match nothing', (pattern) => {
    const { values, skipped } = importFile(`${pattern}\nok-one.com\n`);
    expect(values).toEqual(['ok-one.com']);
    expect(skipped).toHaveLength(1);
  });
});

describe('STIX and MISP as services return them', () => {
  const [one, two] = [indicator('one.com', 1), indicator('two.com', 2)];

  test.each([
    ['the envelope of a TAXII server', JSON.stringify({ more: false, objects: [one, two] })],
    ['an envelope with more to come', JSON.stringify({ more: true, next: '2', objects: [one, two] })],
    ['a list of objects', JSON.stringify([one, two])],
    [
      'a list of bundles',
      JSON.stringify([
        { type: 'bundle', objects: [one] },
        { type: 'bundle', objects: [two] },
      ]),
    ],
    [
      'a bundle a line',
      `${JSON.stringify({ type: 'bundle', objects: [one] })}\n${JSON.stringify({ type: 'bundle', objects: [two] })}\n`,
    ],
    ['an object a line', `${JSON.stringify(one)}\n${JSON.stringify(two)}\n`],
    ['objects with one id and time', JSON.stringify([one, { ...two, id: one.id }])],
  ])('%s is read', (_, content) => {
    expect(importFile(content, 'a.json').values).toEqual(['one.com', 'two.com']);
  });

  test('a newer version of an object in another line replaces the earlier one', () => {
    const newer = { ...one, modified: '2026-02-01T00:00:00.000Z', revoked: true };
    expect(importFile(`${JSON.stringify(one)}\n${JSON.stringify(newer)}\n`, 'a.json').values).toEqual([]);
  });

  test('a search of attributes is read', () => {
    const Attribute = [
      { type: 'domain', value: 'one.com', to_ids: true },
      { type: 'ip-dst|port', value: '198.51.100.6|443', to_ids: true },
      { type: 'domain', value: 'context.com', to_ids: false },
    ];
    expect(importFile(JSON.stringify({ response: { Attribute } }), 'a.json').values).toEqual([
      'one.com',
      '198.51.100.6',
    ]);
  });

  test('defanged values are restored', () => {
    const objects = [
      indicator('', 1, { pattern: "[url:value = 'hxxp://one[.]com/a']" }),
      indicator('', 2, { pattern: "[domain-name:value = 'two[.]com']" }),
    ];
    expect(importFile(JSON.stringify({ type: 'bundle', objects }), 'a.json').values).toEqual([
      'one.com/a',
      'two.com',
    ]);
    const Attribute = [{ type: 'url', value: 'hxxps://three[.]com[/]a', to_ids: true }];
    expect(importFile(JSON.stringify({ Event: { Attribute } }), 'a.json').values).toEqual(['three.com/a']);
  });
});

describe('a table', () => {
  test.each([
    [
      'of MISP',
      'uuid,category,type,value,comment,to_ids,date\n"1","x","domain","one.com","",1,2026\n"2","x","domain","two.com","",0,2026\n',
    ],
    [
      'with the mark in words',
      '"type","value","to_ids"\n"domain","one.com","True"\n"domain","two.com","False"\n',
    ],
    ['with quoted marks', '"type","value","to_ids"\n"domain","one.com","1"\n"url","http://two.com/a","0"\n'],
  ])('%s gives what is meant for detection', (_, content) => {
    const { values, skipped } = importFile(content, 'a.csv');
    expect(values).toEqual(['one.com']);
    expect(skipped).toEqual([]);
  });

  test.each([
    ['ip-dst|port', '198.51.100.6|443', '198.51.100.6'],
    ['hostname|port', 'one.com|8443', 'one.com'],
    ['domain|ip', 'one.com|198.51.100.6', 'one.com'],
    ['ip-src', '198.51.100.6', '198.51.100.6'],
    ['filename|sha256', `a.exe|${'ab'.repeat(32)}`, 'ab'.repeat(32)],
  ])('reads the type %s of MISP', (type, value, expected) => {
    expect(importFile(`type,value,to_ids\n${type},${value},1\n`, 'a.csv').values).toEqual([expected]);
  });

  test.each([
    [
      'a header with a description',
      '#ip,ioc\n198.51.100.20,Possible C2 IP\n198.51.100.21,Possible X\n',
      ['198.51.100.20', '198.51.100.21'],
    ],
    [
      'no header, and addresses',
      '198.51.100.30,foo\n198.51.100.31,bar\n',
      ['198.51.100.30', '198.51.100.31'],
    ],
    [
      'no header, and links',
      'http://hl-one.com/a,2026\nhttp://hl-two.com/a,2026\n',
      ['hl-one.com/a', 'hl-two.com/a'],
    ],
    [
      'no header, and domains behind dates',
      '2026-01-02;hl-one.com\n2026-01-03;hl-two.com\n',
      ['hl-one.com', 'hl-two.com'],
    ],
    ['no header, and hashes', `a.exe\t${'ab'.repeat(32)}\n`, ['ab'.repeat(32)]],
    [
      'a carriage return after each row',
      '# id,dateadded,url\r"1","2026","http://cr-one.com/a"\r',
      ['cr-one.com/a'],
    ],
  ])('with %s is read', (_, content, expected) => {
    expect(importFile(content, 'a.csv').values).toEqual(expected);
  });
});

describe('the list of a blocker or a name server', () => {
  test.each([
    [
      'Adblock',
      '[Adblock Plus 2.0]\n! Title: phish\n||one.com^\n||two.com^$all\n||three.com\n@@||good.com^\n',
      ['one.com', 'two.com', 'three.com'],
    ],
    [
      'a zone of response policies',
      '$TTL 60\n@ IN SOA localhost. root.localhost. (1 2 3 4 5)\n  IN NS localhost.\none.com CNAME .\n*.one.com CNAME .\ntwo.com. 60 IN CNAME .\n',
      ['one.com', 'two.com'],
    ],
    [
      'Unbound',
      'server:\nlocal-zone: "one.com" always_nxdomain\nlocal-zone: "two.com." static\n',
      ['one.com', 'two.com'],
    ],
    ['dnsmasq', 'address=/one.com/0.0.0.0\nserver=/two.com/\n', ['one.com', 'two.com']],
    ['hosts', '0.0.0.0 one.com\n127.0.0.1\ttwo.com # why\n', ['one.com', 'two.com']],
    [
      'defanged names',
      'one\\.com\ntwo[.com\nhttps://three[.]com[/]a\nfour.]com\n',
      ['one.com', 'two.com', 'three.com/a', 'four.com'],
    ],
  ])('of %s gives its names', (_, content, expected) => {
    const { values, skipped } = importFile(content);
    expect(values).toEqual(expected);
    expect(skipped).toEqual([]);
  });
});

describe('a file in UTF-16', () => {
  const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

  test.each([
    ['a list', 'a.txt', wide('one.com\n')],
    ['a table', 'a.csv', wide('url,label\nhttp://one.com/a,x\n')],
    ['a list with the other order of bytes', 'a.txt', wide('one.com\n').swap16()],
    ['STIX', 'a.json', wide(JSON.stringify({ type: 'bundle', objects: [indicator('one.com', 1)] }))],
    [
      'MISP',
      'a.json',
      wide(JSON.stringify({ Event: { Attribute: [{ type: 'domain', value: 'one.com', to_ids: true }] } })),
    ],
    ['a hosts file', 'hosts', wide('0.0.0.0 one.com\r\n')],
  ])('is read: %s', (_, filename, bytes) => {
    expect(importFile(bytes, filename).values[0]).toMatch(/^one\.com/);
  });
});

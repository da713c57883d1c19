import { describe, expect, test } from 'vitest';
import { createCollector, ImportError, type ImportOptions, type ImportResult } from './collector.ts';
import { detectFormat, type IndicatorFormat, importIndicators } from './import-indicators.ts';

const HASH = 'ab'.repeat(32);

function importText(
  text: string,
  format: IndicatorFormat,
  options: Partial<ImportOptions> = {},
): ImportResult {
  return importIndicators(Buffer.from(text), { format, source: 'test-list', ...options });
}

function valuesOf({ indicators }: ImportResult): string[] {
  return indicators.map(({ type, value }) => `${type} ${value}`);
}

describe('a plain list', () => {
  test('has a value per line, which is restored if it was defanged', () => {
    const text = `﻿# a comment\r\nevil.example\n\n*.wide.example # why\nhxxps[:]//bad[.]example/a?b#c\n${HASH}\n198.51.100.8\n198.51.100.4:80\n! adblock\nlast.example`;
    expect(valuesOf(importText(text, 'list'))).toEqual([
      'domain evil.example',
      'domain wide.example',
      'url bad.example/a?b',
      `sha256 ${HASH}`,
      'domain 198.51.100.8',
      'url 198.51.100.4/',
      'domain last.example',
    ]);
  });

  test('may be a hosts file, without the names of the machine itself', () => {
    const text =
      '127.0.0.1 localhost\n::1 ip6-localhost\n0.0.0.0 evil.example bad.example # two\n0.0.0.0 0.0.0.0';
    const imported = importText(text, 'list');
    expect(valuesOf(imported)).toEqual(['domain evil.example', 'domain bad.example']);
    expect(imported.skippedCount).toBe(0);
  });

  test('has the stated type', () => {
    expect(valuesOf(importText('com.evil.app', 'list', { type: 'package' }))).toEqual([
      'package com.evil.app',
    ]);
  });

  test('of names without a top-level domain needs a stated type', () => {
    const names = [
      'com.spy.service',
      'rce_loader.js',
      'evil.рф',
      'EVIL.com.',
      'evil.github.io',
      'evil.onion',
      'fe80',
    ];
    const untold = importText(names.join('\n'), 'list');
    expect(untold.indicators.map(({ value }) => value)).toEqual([
      'evil.xn--p1ai',
      'evil.com',
      'evil.github.io',
      'evil.onion',
    ]);
    expect(untold.skipped.slice(0, 2)).toEqual([
      { where: 'line 1', why: expect.stringContaining('state the type') },
      { where: 'line 2', why: expect.stringContaining('state the type') },
    ]);
    expect(valuesOf(importText('com.spy.service', 'list', { type: 'domain' }))).toEqual([
      'domain com.spy.service',
    ]);
    expect(importText('ioc\ncom.spy.service\n', 'csv')).toMatchObject({ indicators: [], skippedCount: 1 });
    expect(valuesOf(importText('domain\nevil.internal-name\n', 'csv'))).toEqual([
      'domain evil.internal-name',
    ]);
  });

  test('reports the reason for each skipped line', () => {
    const { skipped, skippedCount } = importText('co.uk\n10.0.0.0/8\nevil.example\nwords of text', 'list');
    expect(skippedCount).toBe(3);
    expect(skipped[0]).toEqual({ where: 'line 1', why: expect.stringContaining('public suffix') });
    expect(skipped.map(({ where }) => where)).toEqual(['line 1', 'line 2', 'line 4']);
  });

  test('may have thousands of invalid lines: all are counted, the first thousand listed', () => {
    const { skipped, skippedCount } = importText('-\n'.repeat(3000), 'list');
    expect(skipped).toHaveLength(1000);
    expect(skippedCount).toBe(3000);
  });
});

describe('the options of the operator', () => {
  test('take precedence over the file, but do not extend its validity', () => {
    const text = 'url,confidence\nevil.example/a,60\n';
    const [stated] = importText(text, 'csv').indicators;
    expect(stated).toMatchObject({ confidence: 0.6, threatType: 'known_indicator', category: 'phishing' });
    const [indicator] = importText(text, 'csv', {
      confidence: 0.3,
      threatType: 'malware',
      validUntilMs: 5,
    }).indicators;
    expect(indicator).toMatchObject({ confidence: 0.3, category: 'malicious_app', validUntilMs: 5 });
    const [other] = importText(text, 'csv', { threatType: 'malware', category: 'remote_control' }).indicators;
    expect(other).toMatchObject({ threatType: 'malware', category: 'remote_control' });
  });

  test.each([{ source: '' }, { source: 'a b' }, { confidence: 2 }, { confidence: Number.NaN }])(
    'is refused when it is %j',
    (options) => {
      expect(() => importText('evil.example', 'list', options)).toThrow(TypeError);
    },
  );
});

describe('a host on which anyone can publish', () => {
  test.each([
    'docs.google.com',
    'google.com',
    'github.com',
    'bit.ly',
    'wordpress.com',
    'https://drive.google.com',
    'http://www.dropbox.com/',
    'http://t.me:443/',
  ])('is not imported as a whole: %s', (value) => {
    const { indicators, skipped } = importText(value, 'list');
    expect(indicators).toEqual([]);
    expect(skipped).toMatchObject([{ where: 'line 1', why: expect.stringContaining('anyone can publish') }]);
  });

  test.each([
    ['https://docs.google.com/document/d/1abc/edit', 'url docs.google.com/document/d/1abc/edit'],
    ['https://t.me/?start=1', 'url t.me/?start=1'],
    ['evil.wordpress.com', 'domain evil.wordpress.com'],
    ['remotedesktop.google.com', 'domain remotedesktop.google.com'],
    ['notgithub.com', 'domain notgithub.com'],
  ])('is imported with the part of one customer: %s', (value, listed) => {
    expect(valuesOf(importText(value, 'list'))).toEqual([listed]);
  });
});

describe('a table', () => {
  test('is read by its header', () => {
    const text =
      'type,indicator,app\ndomain,evil.example,Spy\nipv4,198.51.100.8,Spy\nmd5,abc,Spy\ndomain,a.example/b,Spy\n';
    const imported = importText(text, 'csv');
    expect(valuesOf(imported)).toEqual(['domain evil.example', 'domain 198.51.100.8', 'url a.example/b']);
    expect(imported.indicators[0]).toMatchObject({ label: 'Spy', source: 'test-list' });
    expect(imported.skipped).toEqual([{ where: 'row 4', why: 'its type is not supported' }]);
  });

  test('may have its header in a comment, and quotes behind spaces', () => {
    const text =
      '####\n# Terms of use\n# "first_seen", "ioc_value", "ioc_type", "malware_printable", "confidence_level"\n"2026-01-01", "198.51.100.8:443", "ip:port", "Bot", "75"\n"2026-01-01", "http://evil.example/#a", "url", "Bot", "100"\n# Number of entries: 2\n';
    const imported = importText(text, 'csv');
    expect(valuesOf(imported)).toEqual(['domain 198.51.100.8', 'url evil.example/']);
    expect(imported.indicators[0]).toMatchObject({ label: 'Bot', confidence: 0.75 });
  });

  test.each([
    ['SHA256,Package Name,App\n', `${HASH},com.a.b,Spy`, `sha256 ${HASH}`],
    ['date,URL,description\n', '2026/01/01,https://evil.example/a,Brand', 'url evil.example/a'],
    ['id;Host Name;Domain\n', '1;x;evil.example', 'domain evil.example'],
    ['url,type,label\n', 'https://evil.example/a,phishing,Brand', 'url evil.example/a'],
    ['package_name\tname\n', 'com.evil.app\tSpy', 'package com.evil.app'],
  ])('with the header %j has its values in the named column', (header, row, value) => {
    expect(valuesOf(importText(`${header}${row}\n`, 'csv'))).toEqual([value]);
  });

  test('that repeats a value gives it once, as it was first stated', () => {
    const { indicators } = importText('domain,name\nevil.example,One\nEVIL.example.,Two\n', 'csv');
    expect(indicators).toMatchObject([{ value: 'evil.example', label: 'One' }]);
  });

  test('without a header is read by the stated column', () => {
    const text = '1,evil.example\n2,bad.example\n';
    expect(() => importText('1,x\n2,y\n', 'csv')).toThrow(ImportError);
    expect(valuesOf(importText(text, 'csv', { column: 2 }))).toEqual([
      'domain evil.example',
      'domain bad.example',
    ]);
    const typed = 'domain,evil.example\ndomain,bad.example\n';
    expect(valuesOf(importText(typed, 'csv', { column: 2 }))).toHaveLength(2);
    const named = `no,site\n${text}`;
    expect(valuesOf(importText(named, 'csv', { column: 'site' }))).toHaveLength(2);
    expect(() => importText(named, 'csv', { column: 'other' })).toThrow(ImportError);
  });

  test('with a broken quote loses only that row, which is named', () => {
    for (const [text, rows] of [
      ['url,x\nhttp://a.example/a,x\n"http://b.example/a,broken\nhttp://c.example/a,x\n', ['row 3']],
      ['url,x\n"http://b.example/a"x,y\nhttp://c.example/a,x\n', ['row 2']],
      ['url,x\nhttp://a.example/a,"x"\n"http://b.example/a\nhttp://c.example/a,"x"\n', ['row 3']],
      [`url\nhttp://a.example/a\n"http://b.example/${'x'.repeat(100_000)}\nhttp://c.example/a`, ['row 3']],
      ['"url","x"\n"http://a.example/a","x"\n"http://b.example/a","x\n"http://c.example/a","x"\n', ['row 3']],
    ] as const) {
      const { indicators, skipped } = importText(text, 'csv');
      expect(indicators.map(({ value }) => value)).toContain('c.example/a');
      expect(skipped.map(({ where }) => where)).toEqual(rows);
      expect(JSON.stringify(skipped)).not.toContain('b.example');
    }
  });
});

test('a label is one line of whole characters, regardless of the source', () => {
  const labelOf = (name: string) =>
    importText(`url,name\nhttps://evil.example/a,"${name}"`, 'csv').indicators[0]?.label;
  expect(labelOf('two\nlines\u202e \u001b[31mred')).toBe('two lines [31mred');
  expect(labelOf(`${'a'.repeat(119)}🎣`)).toBe('a'.repeat(119));
  const half = {
    Event: { info: 'a\ud83db', Attribute: [{ type: 'domain', value: 'evil.example', to_ids: true }] },
  };
  expect(importText(JSON.stringify(half), 'misp').indicators[0]?.label).toBe('a b');
  expect(labelOf('🎣'.repeat(61))).toBe('🎣'.repeat(60));
  expect(labelOf(' \u200b ')).toBeUndefined();
});

const STALKERWARE = `- name: Spy
  type: stalkerware
  packages:
  - com.spy.app
  certificates:
  - ${'AB'.repeat(20)}
  websites:
  - spy.example
  - shop.example/spy
  c2:
    ips:
    - 198.51.100.8
    domains:
    - c2.spy.example
- name: Watch
  type: watchware
  ios_bundles:
  - com.watch.ios
`;

test('a list of stalkerware gives all indicators of an app, and watchware is dual-use', () => {
  const imported = importText(STALKERWARE, 'stalkerware');
  expect(valuesOf(imported)).toEqual([
    'package com.spy.app',
    `certificate ${'ab'.repeat(20)}`,
    'domain c2.spy.example',
    'domain 198.51.100.8',
    'domain spy.example',
    'url shop.example/spy',
    'package com.watch.ios',
  ]);
  const [spy] = imported.indicators;
  expect(spy).toMatchObject({
    label: 'Spy',
    threatType: 'stalkerware',
    category: 'malicious_app',
    confidence: 0.9,
  });
  expect(spy).not.toHaveProperty('dualUse');
  expect(imported.indicators.at(-1)).toMatchObject({ label: 'Watch', dualUse: true, confidence: 0.6 });
});

const LOLRMM = `Name: Desk
Category: RMM
CodeSigning:
  certificates:
    - certificate_thumbprint: ${'AB'.repeat(20)}
      src_file_sha256: ${HASH}
Artifacts:
  Network:
    - Domains:
        - '*.desk.example'
        - relay-[a-f0-9]{8}.desk.example:443
        - px-*.desk.example
        - user_managed
        - desk.example:443
`;

test("remote management tools are dual-use, and their vendors' certificates are skipped", () => {
  const imported = importText(
    `${LOLRMM}---\n${LOLRMM.replaceAll('desk', 'help').replace('Desk', 'Help')}`,
    'lolrmm',
  );
  expect(valuesOf(imported)).toEqual(['domain desk.example', `sha256 ${HASH}`, 'domain help.example']);
  for (const indicator of imported.indicators) {
    expect(indicator).toMatchObject({
      category: 'remote_control',
      threatType: 'remote_access_tool',
      dualUse: true,
    });
  }
  expect(imported.skipped.map(({ where }) => where)).toEqual(['Desk', 'Desk', 'Help', 'Help']);
});

describe('YAML', () => {
  test('with aliases is rejected: a few lines of them fill any memory', () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]'];
    for (let at = 1; at < 9; at += 1) {
      const [name, last] = ['abcdefghij'[at], '*abcdefghij'[at]];
      bomb.push(`${name}: &${name} [${Array(9).fill(`*${last}`).join(',')}]`);
    }
    expect(() => importText(bomb.join('\n'), 'lolrmm')).toThrow(/aliases and deep nesting/);
  });

  test.each([
    ['nested deeply', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['broken', 'a: [b'],
    ['of something else', 'a: b'],
  ])('that is %s is rejected', (_name, text) => {
    expect(() => importText(text, 'lolrmm')).toThrow(ImportError);
  });
});

test('YAML beyond 8 MiB is rejected before it is parsed', () => {
  expect(() => importText(`a: ${'b'.repeat(8 * 1024 * 1024)}`, 'lolrmm')).toThrow(/8 MiB/);
});

test('a file with too many indicators is rejected as a whole', () => {
  const collector = createCollector({ source: 'test-list' }, 2);
  const add = (value: string) =>
    collector.add({ type: 'domain', value, where: 'line 1', threatType: 'malware' });
  for (const value of ['a.example', 'b.example', 'a.example']) add(value);
  expect(() => add('c.example')).toThrow(ImportError);
});

test('a file beyond 64 MiB is rejected before it is parsed', () => {
  const bytes = new Uint8Array(64 * 1024 * 1024 + 1);
  expect(() => importIndicators(bytes, { format: 'list', source: 'a' })).toThrow(/64 MiB/);
});

test.each([
  '<!DOCTYPE html>\n<pre>\nevil.example\n</pre>',
  '\n<html><body>\nevil.example\n',
  '<?xml version="1.0"?>\nevil.example',
])('a page that was served in place of a list is rejected: %.15s', (page) => {
  for (const format of ['list', 'csv'] as const) {
    expect(() => importText(page, format)).toThrow(/web page/);
  }
});

test.each<[string, string, IndicatorFormat | undefined]>([
  ['a.json', '{"id": "bundle--1", "objects": [{"pattern_type": "stix"', 'stix'],
  ['a.json', '{"type": "bundle", "objects": []}', 'stix'],
  ['a', '[{"Event":{}}]', 'misp'],
  ['a.csv', 'evil.example', 'csv'],
  ['a.txt', '# note, one, two\nfirst_seen,url,tags', 'csv'],
  ['a.txt', '[::1]/a\nevil.example', 'list'],
  ['a.txt', 'https://evil.example/a,b,c', 'list'],
  ['a.yaml', STALKERWARE, 'stalkerware'],
  ['a.yaml', LOLRMM, 'lolrmm'],
  ['a.zip', 'PK\u0003\u0004\u0000', undefined],
])('the format of %s that begins %j is %s', (name, text, format) => {
  expect(detectFormat(name, Buffer.from(text))).toBe(format);
});

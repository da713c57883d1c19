import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IndicatorFormError, toCanonicalValue } from './canonical-value.ts';
import { ImportError } from './import/collector.ts';
import { detectFormat, INDICATOR_FORMATS, importIndicators } from './import/import-indicators.ts';
import { INDICATOR_TYPES, type IndicatorType } from './indicator.ts';
import { keyOf, keysOfUrl } from './keys.ts';

const RUNS = { numRuns: 2000 };

const pieces = fc.constantFrom(
  ...[
    'http://',
    'https:\\',
    'evil',
    'github.io',
    'ä',
    '.',
    '..',
    '/',
    '//',
    '%41',
    '%2f',
    '%',
    '?',
    '#',
    '@',
    ':80',
  ],
  ...[
    'co.uk',
    'example',
    '8.8.8.8',
    '0x7f',
    '[',
    '::1',
    ']',
    ' ',
    '\t',
    '\n',
    'www.',
    'xn--',
    '_',
    '-',
    'com',
    '\u0000',
  ],
);
const address = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
  fc.string({ unit: 'binary' }),
);

function canonicalOf(type: IndicatorType, value: string): string | undefined {
  try {
    return toCanonicalValue(type, value);
  } catch (error) {
    if (error instanceof IndicatorFormError) return undefined;
    throw error;
  }
}

test('the canonical form of a canonical value is the value itself', () => {
  fc.assert(
    fc.property(address, fc.constantFrom(...INDICATOR_TYPES), (value, type) => {
      const canonical = canonicalOf(type, value);
      if (canonical !== undefined) expect(canonicalOf(type, canonical)).toBe(canonical);
    }),
    RUNS,
  );
});

test('a listed URL is found by itself, and by the URL it leads to', () => {
  fc.assert(
    fc.property(address, (value) => {
      for (const type of ['url', 'domain'] as const) {
        if (canonicalOf(type, value) === undefined) continue;
        const { digest } = keyOf(type, value);
        const isIpv6 = type === 'domain' && value.includes(':');
        const keys = keysOfUrl(isIpv6 ? `[${value.trim()}]` : value);
        expect(keys.filter((key) => key.type === type).map((key) => key.digest)).toContain(digest);
      }
    }),
    RUNS,
  );
});

test('any bytes are imported, or rejected with a reason', () => {
  const words = fc.constantFrom(
    ...[
      '{"type":"bundle","objects":[',
      '{"type":"indicator","pattern":"',
      "[url:value='a.example']",
      '"}',
      ']}',
    ],
    ...[
      '{"Attribute":[',
      '{"type":"url","to_ids":true,"value":"',
      ',',
      '"',
      '\n',
      'url',
      'domain',
      ';',
      '#',
      '- name: a',
    ],
    ...[
      '\n  type: stalkerware',
      '\n  packages: [',
      ']',
      'Name: a',
      '\nArtifacts:',
      ' {Network: [{Domains: [',
      '&a',
      '*a',
    ],
    'evil.example',
    'null',
    '7',
    '{',
    '}',
    '[',
    '---\n',
    '\u0000',
    '\ufeff',
    '0.0.0.0 ',
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(words, { maxLength: 15 }).map((all) => Buffer.from(all.join(''))),
  );
  fc.assert(
    fc.property(bytes, fc.constantFrom(...INDICATOR_FORMATS), (content, format) => {
      detectFormat('a', content);
      try {
        const { indicators } = importIndicators(content, { format, source: 'a' });
        for (const { type, value } of indicators) expect(toCanonicalValue(type, value)).toBe(value);
      } catch (error) {
        expect(error).toBeInstanceOf(ImportError);
      }
    }),
    RUNS,
  );
});

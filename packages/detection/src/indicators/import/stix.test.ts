import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ImportError } from './collector.ts';
import { importIndicators } from './import-indicators.ts';
import { PatternError, parsePattern } from './stix-pattern.ts';

const HASH = 'ab'.repeat(32);

describe('a pattern', () => {
  test.each<[string, string[]]>([
    ["[domain-name:value = 'evil.example']", ['domain-name:value evil.example']],
    ["[file:hashes.'SHA-256'='a']", ['file:hashes.sha256 a']],
    ['[file:hashes."SHA-256"=\'a\']', ['file:hashes.sha256 a']],
    ["[file:hashes.sha256='a']", ['file:hashes.sha256 a']],
    [
      "[url:value='a' OR (url:value='b' OR domain-name:value='c')]",
      ['url:value a', 'url:value b', 'domain-name:value c'],
    ],
    [
      "[url:value='a'] OR ([url:value='b'] OR [url:value='c'])",
      ['url:value a', 'url:value b', 'url:value c'],
    ],
    ["[url:value IN ('a', 'b')]", ['url:value a', 'url:value b']],
    ["[url:value='it\\'s \\\\ ]']", ["url:value it's \\ ]"]],
  ])('%s lists alternatives', (pattern, found) => {
    expect(parsePattern(pattern).map(({ path, value }) => `${path} ${value}`)).toEqual(found);
  });

  test.each([
    '',
    'url',
    '[]',
    "[url:value='a' AND url:value='b']",
    "[url:value='a'] AND [url:value='b']",
    "[url:value='a'] FOLLOWEDBY [url:value='b']",
    "[url:value='a'] WITHIN 5 SECONDS",
    "[url:value != 'a']",
    "[url:value LIKE 'a%']",
    "[url:value MATCHES '^a']",
    "[NOT url:value = 'a']",
    '[file:size = 7]',
    "[url:value='a",
    "[url:value='a' OR]",
    "[url:value='a']]",
    "[url:value IN ('a']",
    "[url:value='a'] junk",
    `${'('.repeat(5000)}[url:value='a']${')'.repeat(5000)}`,
    `[${Array(1100).fill("url:value='a'").join(' OR ')}]`,
    `[url:value='${'a'.repeat(70_000)}']`,
  ])('with another meaning is rejected as a whole: %.60s', (pattern) => {
    expect(() => parsePattern(pattern)).toThrow(PatternError);
  });

  test('of any form is parsed or rejected', () => {
    const pieces = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      "'a'",
      "'",
      '\\',
      'OR',
      'IN',
      '=',
      ',',
      'url:value',
      ' ',
      '"',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (all) => {
        try {
          expect(parsePattern(all.join('')).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(PatternError);
        }
      }),
    );
  });
});

describe('a bundle', () => {
  const read = (objects: unknown) =>
    importIndicators(Buffer.from(JSON.stringify({ type: 'bundle', objects })), {
      format: 'stix',
      source: 'a',
    });
  const indicator = (pattern: string, more: object = {}) => ({
    type: 'indicator',
    id: 'indicator--1',
    pattern,
    pattern_type: 'stix',
    ...more,
  });

  test('gives its indicators with validity, confidence and threat', () => {
    const { indicators } = read([
      { type: 'malware', id: 'malware--1', name: 'Spy', malware_types: ['spyware'] },
      {
        type: 'relationship',
        relationship_type: 'indicates',
        source_ref: 'indicator--1',
        target_ref: 'malware--1',
      },
      indicator("[domain-name:value='evil.example']", {
        confidence: 70,
        valid_from: '2026-01-01T00:00:00Z',
        valid_until: '2026-02-01T00:00:00.000Z',
      }),
      indicator("[ipv4-addr:value='198.51.100.8'] OR [app:id='com.evil.app']", {
        id: 'indicator--2',
        name: 'Two',
      }),
      indicator("[url:value='http://evil.example/a']", { id: 'indicator--3', labels: ['phishing'] }),
      indicator(`[app:cert.sha256='${HASH}' OR file:hashes.'SHA-256'='${HASH}']`, { id: 'indicator--4' }),
    ]);
    expect(indicators).toMatchObject([
      {
        value: 'evil.example',
        label: 'Spy',
        threatType: 'spyware',
        confidence: 0.7,
        validFromMs: Date.UTC(2026, 0, 1),
        validUntilMs: Date.UTC(2026, 1, 1),
      },
      { value: '198.51.100.8', type: 'domain', label: 'Two', threatType: 'known_indicator', confidence: 0.9 },
      { value: 'com.evil.app', type: 'package', threatType: 'malware' },
      { value: 'evil.example/a', threatType: 'credential_phishing' },
      { type: 'certificate', threatType: 'malware' },
      { type: 'sha256' },
    ]);
  });

  test.each([
    ['2016-12-31', Date.UTC(2016, 11, 31)],
    ['2016-12-31T10:00:00+02:00', Date.UTC(2016, 11, 31, 8)],
    ['2016-12-31T10:00:00.123456Z', Date.UTC(2016, 11, 31, 10, 0, 0, 123)],
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
    ['2016-12-31 10:00:00', Date.UTC(2016, 11, 31, 10)],
    [undefined, undefined],
    [null, undefined],
  ])('may end at %s', (validUntil, validUntilMs) => {
    const { indicators } = read([
      indicator("[domain-name:value='a.example']", { valid_until: validUntil, valid_from: undefined }),
    ]);
    expect(indicators.map((one) => one.validUntilMs)).toEqual([validUntilMs]);
  });

  test.each([
    ['a day that does not exist', '2026-02-30T00:00:00Z'],
    ['an hour that does not exist', '2026-02-03T24:00:00Z'],
    ['a number', 1_767_225_600],
    ['a word', 'tomorrow'],
  ])('is skipped if its validity has %s, instead of being valid for ever', (_what, time) => {
    for (const member of ['valid_from', 'valid_until']) {
      const { indicators, skipped } = read([
        indicator("[domain-name:value='a.example']", { [member]: time }),
      ]);
      expect(indicators).toEqual([]);
      expect(skipped.map(({ why }) => why)).toEqual([`its ${member} is not a time`]);
    }
  });

  test('skips and counts unsupported indicators as a whole', () => {
    const { indicators, skipped } = read([
      indicator("[domain-name:value='a.example' OR file:name='b']", { id: 'indicator--half' }),
      indicator("[domain-name:value='a.example' AND url:value='b']", { id: 'indicator--and' }),
      indicator("[domain-name:value='a.example']", { id: 'indicator--revoked', revoked: true }),
      indicator('rule a { condition: true }', { id: 'indicator--yara', pattern_type: 'yara' }),
      indicator("[domain-name:value='co.uk']", { id: 'indicator--suffix' }),
      indicator("[domain-name:value='a.example']", {
        id: 'indicator--never',
        valid_from: '2026-01-02T00:00:00Z',
        valid_until: '2026-01-02T00:00:00Z',
      }),
      { type: 'indicator' },
      null,
      'text',
    ]);
    expect(indicators).toEqual([]);
    expect(skipped.map(({ where }) => where)).toEqual([
      'indicator--half',
      'indicator--and',
      'indicator--revoked',
      'indicator--yara',
      'indicator--suffix',
      'indicator--never',
      'an indicator without an id',
    ]);
  });

  test('with several versions of an object is read by the newest, which may revoke it', () => {
    const version = (value: string, modified: string, more: object = {}) =>
      indicator(`[domain-name:value='${value}']`, { modified, ...more });
    const { indicators, skipped } = read([
      version('new.example', '2026-02-01T00:00:00Z'),
      version('old.example', '2026-01-01T00:00:00Z'),
      version('gone.example', '2026-01-01T00:00:00Z', { id: 'indicator--2' }),
      version('gone.example', '2026-03-01T00:00:00Z', { id: 'indicator--2', revoked: true }),
    ]);
    expect(indicators.map(({ value }) => value)).toEqual(['new.example']);
    expect(skipped).toEqual([{ where: 'indicator--2', why: 'it was revoked' }]);
  });

  test('skips indicators that it marks as benign', () => {
    const { indicators, skipped } = read([
      indicator("[domain-name:value='good.example']", { indicator_types: ['benign'] }),
      indicator("[domain-name:value='fine.example']", { id: 'indicator--2', labels: ['Benign'] }),
    ]);
    expect(indicators).toEqual([]);
    expect(skipped).toHaveLength(2);
  });

  test('marks a tool as dual-use, and one for remote access as such', () => {
    const indicates = (at: number) => ({
      type: 'relationship',
      relationship_type: 'indicates',
      source_ref: `indicator--${at}`,
      target_ref: `tool--${at}`,
    });
    const { indicators } = read([
      { type: 'tool', id: 'tool--1', name: 'Desk', tool_types: ['remote-access'] },
      { type: 'tool', id: 'tool--2', name: 'Scanner', tool_types: ['vulnerability-scanning'] },
      indicates(1),
      indicates(2),
      indicator("[domain-name:value='desk.example']"),
      indicator("[domain-name:value='scan.example']", { id: 'indicator--2' }),
    ]);
    expect(indicators).toMatchObject([
      { threatType: 'remote_access_tool', category: 'remote_control', dualUse: true, confidence: 0.6 },
      { threatType: 'malware', dualUse: true },
    ]);
  });

  test('that repeats a value counts by the longest validity, then the highest confidence', () => {
    const stated = (at: number, more: object) =>
      indicator("[domain-name:value='evil.example']", { id: `indicator--${at}`, ...more });
    const ended = stated(1, { valid_until: '2026-01-01T00:00:00Z', confidence: 100 });
    const [unsure, sure] = [stated(2, { confidence: 30 }), stated(3, { confidence: 80 })];
    for (const objects of [
      [ended, unsure, sure],
      [sure, unsure, ended],
    ]) {
      const { indicators } = read(objects);
      expect(indicators).toMatchObject([{ value: 'evil.example', confidence: 0.8 }]);
      expect(indicators[0]).not.toHaveProperty('validUntilMs');
    }
  });

  test.each(['{', 'null', '[]', '{"type":"bundle"}', '{"type":"report","objects":[]}'])(
    'is not %s',
    (text) => {
      expect(() => importIndicators(Buffer.from(text), { format: 'stix', source: 'a' })).toThrow(ImportError);
    },
  );
});

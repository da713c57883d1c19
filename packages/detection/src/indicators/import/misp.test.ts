import { describe, expect, test } from 'vitest';
import { ImportError, type ImportResult } from './collector.ts';
import { importIndicators } from './import-indicators.ts';

const HASH = 'ab'.repeat(32);

function importMisp(text: string): ImportResult {
  return importIndicators(Buffer.from(text), { format: 'misp', source: 'test-list' });
}

function valuesOf({ indicators }: ImportResult): string[] {
  return indicators.map(({ type, value }) => `${type} ${value}`);
}

describe('a MISP event', () => {
  const attribute = (type: string, value: string, more: object = {}) => ({
    uuid: `uuid-${value}`,
    type,
    value,
    to_ids: true,
    category: 'Network activity',
    ...more,
  });
  const event = {
    info: 'Campaign',
    Attribute: [
      attribute('hostname', 'evil.example'),
      attribute('url', 'http://intranet/a'),
      attribute('url', 'http://evil.example/b'),
      attribute('domain|ip', 'bad.example|198.51.100.8'),
      attribute('ip-dst|port', '198.51.100.4|443'),
      attribute('filename|sha256', `a.apk|${HASH}`, { category: 'Payload delivery' }),
      attribute('mobile-application-id', 'com.evil.app'),
      attribute('x509-fingerprint-sha256', HASH),
      attribute('hostname|port', 'c2.example|8443'),
      attribute('ip-src|port', '198.51.100.1|53', { warnings: [{ warninglist_category: 'known' }] }),
      attribute('domain', 'popular.example', { warnings: [{ warninglist_category: 'false_positive' }] }),
      attribute('md5', 'abc'),
      attribute('domain', 'comment.example', { to_ids: false }),
      attribute('domain', 'deleted.example', { deleted: true }),
    ],
    Object: [
      {
        name: 'android-app',
        Attribute: [
          attribute('text', 'Spy', { object_relation: 'name', to_ids: false }),
          attribute('sha1', 'cd'.repeat(20), { object_relation: 'certificate' }),
        ],
      },
      { name: 'file', deleted: true, Attribute: [attribute('sha256', 'c'.repeat(64))] },
    ],
  };

  test('gives attributes meant for detection, with the name of their object or the event', () => {
    const imported = importMisp(JSON.stringify({ Event: event }));
    expect(valuesOf(imported)).toEqual([
      'domain evil.example',
      'url evil.example/b',
      'domain bad.example',
      'domain 198.51.100.4',
      `sha256 ${HASH}`,
      'package com.evil.app',
      `certificate ${HASH}`,
      'domain c2.example',
      'domain 198.51.100.1',
      `certificate ${'cd'.repeat(20)}`,
    ]);
    expect(imported.indicators.map(({ label }) => label)).toEqual([...Array(9).fill('Campaign'), 'Spy']);
    expect(imported.indicators[4]).toMatchObject({ threatType: 'malware' });
    expect(imported.skipped.map(({ why }) => why)).toEqual([
      expect.stringContaining('has no domain'),
      expect.stringContaining('warning list'),
      'its type is not supported',
      'it was deleted',
      'it was deleted',
    ]);
  });

  test('may be alone, in a list, or in a response', () => {
    for (const content of [event, [{ Event: event }, event], { response: [{ Event: event }] }]) {
      expect(importMisp(JSON.stringify(content)).indicators).toHaveLength(10);
    }
    for (const text of ['{}', '[]', 'null', '7', '{', '{"Event":{"info":"a"}}', '{"response":{}}']) {
      expect(() => importMisp(text)).toThrow(ImportError);
    }
  });

  const found = { ...attribute('domain', 'evil.example'), Event: { id: '7', info: 'Campaign' } };
  const { Event: _event, ...own } = found;
  const app = {
    name: 'android-app',
    Attribute: [own, attribute('text', 'Spy', { object_relation: 'name' })],
  };

  test.each([
    ['a search of attributes', { response: { Attribute: [found] } }, 'Campaign'],
    ['one attribute', { Attribute: found }, 'Campaign'],
    ['a search of objects', { response: [{ Object: app }] }, 'Spy'],
    ['one object', { Object: app }, 'Spy'],
    ['an event in a response', { response: { Event: { info: 'Campaign', Attribute: [own] } } }, 'Campaign'],
  ])('may be the answer to %s', (_, content, label) => {
    const imported = importMisp(JSON.stringify(content));
    expect(imported.indicators.map((each) => [each.value, each.label])).toEqual([['evil.example', label]]);
  });

  test('may be the answer to a search that found nothing', () => {
    expect(importMisp('{"response":{"Attribute":[]}}')).toMatchObject({
      indicators: [],
      skipped: [],
    });
    expect(importMisp('{"response":[]}')).toMatchObject({ indicators: [], skipped: [] });
  });
});

import { expect, test } from 'vitest';
import { ImportError } from './collector.ts';
import { importIndicators } from './import-indicators.ts';
import { readExceptions } from './read-exceptions.ts';

const HASH = 'ab'.repeat(32);

function importExcept(list: readonly string[], exceptions: string): { values: string[]; reasons: string[] } {
  const { has } = readExceptions('own.txt', Buffer.from(exceptions));
  const { indicators, skipped } = importIndicators(Buffer.from(list.join('\n')), {
    format: 'list',
    source: 'feed',
    isExcepted: has,
  });
  return { values: indicators.map(({ value }) => value), reasons: skipped.map(({ why }) => why) };
}

test('a value that an exception covers is skipped, and reported', () => {
  const list = [
    'own.example',
    'www.own.example',
    'https://shop.own.example/pay',
    'notown.example',
    'https://host.example/us/page?id=1',
    'https://host.example/use',
    'host.example',
    '8.8.8.8',
    '8.8.4.4',
    '2001:4860::8888',
    HASH,
    'cd'.repeat(32),
  ];
  const exceptions = `# ours\nown.example\nhttps://host.example/us/\n8.8.8.8\n2001:4860::8888\n${HASH}\n`;
  const { values, reasons } = importExcept(list, exceptions);
  expect(values).toEqual(['notown.example', 'host.example/use', 'host.example', '8.8.4.4', 'cd'.repeat(32)]);
  expect(reasons).toEqual(Array(7).fill('an exception covers it'));
});

test('a host on which anyone can publish may be an exception as a whole', () => {
  expect(
    importExcept(['https://docs.google.com/a', 'https://drive.google.com/a'], 'docs.google.com').values,
  ).toEqual(['drive.google.com/a']);
});

test('a MISP warning list is a list of exceptions, never of indicators', () => {
  const list = { name: 'Known', type: 'hostname', list: ['own.example', '.other.example', '10.0.0.0/8', 7] };
  const bytes = Buffer.from(JSON.stringify(list));
  const exceptions = readExceptions('list.json', bytes);
  expect(exceptions).toMatchObject({ size: 2, skipped: [] });
  expect(exceptions.has('domain', 'a.other.example')).toBe(true);
  expect(() => importIndicators(bytes, { format: 'misp', source: 'a' })).toThrow(ImportError);
});

test.each(['{"a":', '{"list":7}', '<html>', 'a\u0000b'])('%j is not a list of exceptions', (text) => {
  expect(() => readExceptions('a.json', Buffer.from(text))).toThrow(ImportError);
});

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
    '198.51.100.8',
    '198.51.100.4',
    '2001:4860::8888',
    HASH,
    'cd'.repeat(32),
  ];
  const exceptions = `# ours\nown.example\nhttps://host.example/us/\n198.51.100.8\n2001:4860::8888\n${HASH}\n`;
  const { values, reasons } = importExcept(list, exceptions);
  expect(values).toEqual([
    'notown.example',
    'host.example/use',
    'host.example',
    '198.51.100.4',
    'cd'.repeat(32),
  ]);
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

const listed = (type: string, ...list: readonly string[]) =>
  readExceptions('list.json', Buffer.from(JSON.stringify({ name: 'x', type, list })));

test.each([
  ['8.8.8.8', true],
  ['1.1.1.7', true],
  ['1.1.2.1', false],
  ['2001:4860::7', true],
  ['2002:4860::7', false],
  ['example.com', false],
])('a warning list of ranges covers %s: %s', (value, isCovered) => {
  const { has, size } = listed('cidr', '8.8.8.8/32', '1.1.1.0/24', '2001:4860::/32', 'no range');
  expect(size).toBe(3);
  expect(has('domain', value)).toBe(isCovered);
  expect(has('url', value.includes(':') ? `[${value}]/a` : `${value}/a`)).toBe(isCovered);
});

test.each([
  ['domain', 'paypal.com', true],
  ['domain', 'www.mypaypal.example', true],
  ['url', 'www.paypal.com/a', true],
  ['url', 'example.com/paypal', false],
  ['domain', 'example.com', false],
  ['sha256', 'ab'.repeat(32), false],
] as const)('a warning list of parts of names covers the %s %s: %s', (type, value, isCovered) => {
  expect(listed('substring', 'PayPal').has(type, value)).toBe(isCovered);
});

test('a warning list of regular expressions is refused', () => {
  expect(() => listed('regex', 'paypal')).toThrow('regular expressions is not supported');
});

import { expect, test } from 'vitest';
import { readLines } from './read-lines.ts';

const valuesOf = (text: string) => readLines(text).map(({ number, value }) => `${number} ${value}`);

test('a list has one value per line, without comments, empty lines and repeated values', () => {
  expect(valuesOf('# bad\n\na.example\r\nb.example # seen\na.example\n')).toEqual([
    '3 a.example',
    '4 b.example',
  ]);
});

test('a heading shows how fields are separated, so that a link ends where its field ends', () => {
  expect(valuesOf('url,seen\nhttps://a.example/x,2026\n"b.example",1')).toEqual([
    '2 https://a.example/x',
    '3 b.example',
  ]);
});

test('a link without a heading keeps its commas', () => {
  expect(valuesOf('https://a.example/x,y;z 2026')).toEqual(['1 https://a.example/x,y;z']);
});

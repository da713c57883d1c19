import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadRows } from './load-rows.ts';
import { parseRow } from './parse-row.ts';
import { readRows } from './read-rows.ts';
import type { Row } from './row.ts';

/** `{"text": "packed", "label": "spam", "source": "xz"}`, compressed with `xz`. */
const XZ =
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AAzADJdAD2IioaUiBPg84ckt8JsaChOXQtP+NeZjlKQlj9gTI5Yvfhl6DJqgGcUvAkcaghQZDMAAAAARkMUrYQ6mXMAAU40FSPIbx+2830BAAAAAARZWg==';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rows-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

test('rows are read from plain, gzip and xz files, and other lines are skipped', async () => {
  const lines = [
    '{"url": "a.example/x", "label": 1, "source": "feed", "date": "2026-01-02"}',
    'no row',
    '{"url": "b.example"}',
    '',
  ];
  await writeFile(join(folder, 'urls.jsonl'), lines.join('\n'));
  await writeFile(
    join(folder, 'bench.jsonl.gz'),
    gzipSync('{"u": "c.example", "y": "benign", "d": "2020-05-06"}'),
  );
  await writeFile(join(folder, 'sms.jsonl.xz'), Buffer.from(XZ, 'base64'));
  await writeFile(join(folder, 'README.md'), 'not rows');
  const rows: Row[] = [];
  for await (const row of readRows(folder)) rows.push(row);
  expect(rows).toEqual([
    {
      kind: 'url',
      file: 'bench',
      content: 'c.example',
      threat: false,
      label: 'benign',
      source: 'bench',
      date: '2020-05-06',
    },
    { kind: 'text', file: 'sms', content: 'packed', threat: true, label: 'spam', source: 'xz' },
    {
      kind: 'url',
      file: 'urls',
      content: 'a.example/x',
      threat: true,
      label: '1',
      source: 'feed',
      date: '2026-01-02',
    },
  ]);
});

test('rows that differ in digits, punctuation, case or scheme count once', async () => {
  const texts = ['Call 0800 now!', 'call 0900 NOW', 'call me now'];
  const urls = ['http://a.example/1', 'https://A.example/2', 'http://b.example/1'];
  const rows = [
    ...texts.map((text) => ({ text, label: 'spam', source: 's' })),
    ...urls.map((url) => ({ url, label: 1, source: 's' })),
  ];
  await writeFile(join(folder, 'all.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const own = (await loadRows(folder)).filter(({ file }) => file === 'all');
  expect(own.map(({ content }) => content)).toEqual([
    'Call 0800 now!',
    'call me now',
    'http://a.example/1',
    'http://b.example/1',
  ]);
});

test('placeholders of publishers are replaced in texts, and nothing is in links', () => {
  const parse = (members: object) => parseRow(JSON.stringify({ ...members, label: 1 }), 'file')?.content;
  expect(parse({ text: 'Dear phishing@pot, you won <#> at <TIME>' })).toBe(
    'Dear name@mail.com, you won 12 at 10:30',
  );
  expect(parse({ url: 'a.example/<TIME>' })).toBe('a.example/<TIME>');
});

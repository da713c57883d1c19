import { expect, test } from 'vitest';
import type { ColumnDefinition } from '../list-definition.ts';
import { exportHead, exportLines, exportName, toCsvCell } from './export-text.ts';

interface Row {
  readonly id: string;
  readonly note?: string;
}

const COLUMNS: readonly ColumnDefinition<Row>[] = [
  { id: 'id', header: 'ID', value: ({ id }) => id, width: 1 },
  { id: 'note', header: 'Note, free', value: ({ note = '' }) => note, width: 1 },
];

test.each([
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ['@SUM(1)', `"'@SUM(1)"`],
  ['+1 555', `"'+1 555"`],
  ['-cmd', `"'-cmd"`],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  [' =1', `"' =1"`],
  ['\u200b\u00a0=1', `"'\u200b\u00a0=1"`],
  ['＝1+1', `"'＝1+1"`],
  ['＋1', `"'＋1"`],
  ['－1', `"'－1"`],
  ['＠SUM(A1)', `"'＠SUM(A1)"`],
  ['-12.5', '"-12.5"'],
  ['a,b', '"a,b"'],
  ['a;=1', '"a;=1"'],
  ['a =1', '"a =1"'],
  [' Grüße', '" Grüße"'],
  ['line\nbreak', '"line\nbreak"'],
  ['plain', '"plain"'],
])('the cell %j is written as %j', (value, cell) => {
  expect(toCsvCell(value)).toBe(cell);
});

test('CSV has the shown columns after the byte order mark that Excel needs for UTF-8', () => {
  expect(exportHead('csv', COLUMNS)).toBe('\ufeff"ID","Note, free"\r\n');
  expect(exportLines('csv', COLUMNS, [{ id: 'a', note: 'x' }, { id: 'b' }])).toBe('"a","x"\r\n"b",""\r\n');
});

test('NDJSON has the items as the API returns them', () => {
  expect(exportHead('ndjson', COLUMNS)).toBe('');
  expect(exportLines('ndjson', COLUMNS, [{ id: 'a', note: '=1' }])).toBe('{"id":"a","note":"=1"}\n');
});

test('the name of the file has the list and the time', () => {
  expect(exportName('OAuth clients', 'csv', 0)).toBe('oauth-clients-1970-01-01T00-00-00Z.csv');
});

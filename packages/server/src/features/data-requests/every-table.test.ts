import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TABLE_NAMES } from '../../database/tables/index.ts';
import { KIND_OF_TABLE } from './record-source.ts';

const DECISION = 'docs/decisions/0039-an-erased-event-leaves-its-place.md';

/** Returns the names in the first column of the table of the decision; some end with `*`. */
function readDecidedNames(): string[] {
  const text = readFileSync(new URL(`../../../../../${DECISION}`, import.meta.url), 'utf8');
  const [, section = ''] = text.split('## Every table');
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([a-z_*]+)`/g)].map(([, name = '']) => name),
  );
}

test('decision 39 says of every table what the deletion of data does with it', () => {
  const names = readDecidedNames();
  const isOf = (table: string) => (name: string) =>
    name.endsWith('*') ? table.startsWith(name.slice(0, -1)) : table === name;
  const tables: readonly string[] = TABLE_NAMES;
  expect(tables.filter((table) => !names.some(isOf(table)))).toEqual([]);
  expect(names.filter((name) => !tables.some((table) => isOf(table)(name)))).toEqual([]);
  expect(Object.keys(KIND_OF_TABLE).filter((table) => !names.includes(table))).toEqual([]);
});

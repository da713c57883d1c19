import { HOLDING_KINDS } from '@tps/contract/vocabulary';
import { createTestStore, listTables } from '@tps/testing/store';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Database, openDatabase } from '../../database/index.ts';
import { CREATOR_RULES } from '../../features/holdings/creator-rules.ts';
import { HOLDING_RULES } from './create-holdings.ts';

/** Columns that say who created or owns a row. */
const CREATOR = /(?:^|(?<!leased)_)by$|^owner_|(?:^|_)account_id$|^author|^creator/;

async function listColumns({ read }: Database, table: string): Promise<string[]> {
  const query =
    read.engine === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_info(${table})`
      : sql<{ name: string }>`select column_name as name from information_schema.columns
          where table_schema = 'public' and table_name = ${table}`;
  const { rows } = await query.execute(read.db as never);
  return rows.map(({ name }) => name);
}

test('each table that names a creator has a rule for the end of the creator', async () => {
  const store = await createTestStore();
  const database = await openDatabase(store.url);
  const named: string[] = [];
  for (const table of await listTables(database)) {
    const columns = await listColumns(database, table);
    if (columns.some((column) => CREATOR.test(column))) named.push(table);
  }
  await database.close();
  await store.drop();
  expect(named).toContain('tokens');
  const rules: Readonly<Record<string, unknown>> = CREATOR_RULES;
  expect(named.filter((table) => typeof rules[table] !== 'object')).toEqual([]);
});

test('each kind of holding has a table and a rule for its end', () => {
  const kinds = Object.values(CREATOR_RULES).flatMap((rule) =>
    typeof rule === 'object' && 'holdings' in rule ? rule.holdings : [],
  );
  expect([...kinds].sort()).toEqual([...HOLDING_KINDS].sort());
  expect(HOLDING_RULES.map(({ kind }) => kind).sort()).toEqual([...HOLDING_KINDS].sort());
});

import pg from 'pg';
import type { BareStore } from './bare-store.ts';
import { SAMPLE_TABLES, type SampleRows, type SampleTable } from './sample-rows.ts';

/** One prepared `insert … select from unnest` for each table: the fastest way to insert that answers row by row. */
export async function openBarePostgres(url: string): Promise<BareStore> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const types = new Map<string, string>();
  const { rows } = await client.query<{ name: string; type: string }>(
    `select table_name || '.' || column_name as name, data_type as type
     from information_schema.columns where table_schema = 'public'`,
  );
  for (const { name, type } of rows) types.set(name, type);

  const insertAll = async (table: SampleTable, { columns, rows }: SampleRows) => {
    const arrays = columns.map((column, index) => `$${index + 1}::${types.get(`${table}.${column}`)}[]`);
    const text = `insert into ${table} (${columns.join(', ')}) select * from unnest(${arrays.join(', ')})`;
    await client.query({ name: table, text, values: columns.map((_, at) => rows.map((row) => row[at])) });
  };
  return {
    async insert(tables) {
      await client.query('begin');
      for (const table of SAMPLE_TABLES) {
        if (tables[table].rows.length > 0) await insertAll(table, tables[table]);
      }
      await client.query('commit');
    },
    close: () => client.end(),
  };
}

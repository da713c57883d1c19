import { openWriter, toSqlitePath } from '@tps/server/store';
import pg from 'pg';
import { SAMPLE_TABLES, type SampleRows, type SampleTable, type SampleTables } from './sample-rows.ts';

/** A store without the service around it. */
export interface BareStore {
  /** Inserts these rows in one transaction. */
  insert(tables: SampleTables): Promise<void>;
  close(): Promise<void>;
}

/** Prepared statements in a transaction, with the settings of the service: WAL, synchronous=FULL. */
export function openBareSqlite(url: string): BareStore {
  const handle = openWriter(toSqlitePath(url));
  const statements = new Map<string, ReturnType<typeof handle.prepare<unknown[]>>>();
  const insertAll = (table: string, { columns, rows }: SampleRows) => {
    const text = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
    const statement = statements.get(text) ?? handle.prepare<unknown[]>(text);
    statements.set(text, statement);
    for (const row of rows) statement.run(...row);
  };
  return {
    async insert(tables) {
      handle.transaction(() => {
        for (const table of SAMPLE_TABLES) {
          if (tables[table].rows.length > 0) insertAll(table, tables[table]);
        }
      })();
    },
    async close() {
      handle.close();
    },
  };
}

/** One prepared `insert … select from unnest` for each table: the fastest insert that answers row by row. */
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

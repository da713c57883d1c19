import { openWriter, toSqlitePath } from '../service-internals.ts';
import type { BareStore } from './bare-store.ts';
import { SAMPLE_TABLES, type SampleRows } from './sample-rows.ts';

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

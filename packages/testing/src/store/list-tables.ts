import type { Database } from '@tps/server/store';
import { sql } from 'kysely';

/** Lists all tables of the store, from its own catalog. */
export async function listTables({ read }: Database): Promise<string[]> {
  const query =
    read.engine === 'sqlite'
      ? sql<{
          name: string;
        }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables
          where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const { rows } = await query.execute(read.db as never);
  return rows.map((row) => row.name).sort();
}

/** Returns every row of a table, or of one tenant in it, as text, sorted by that text. */
export async function dumpTable({ read }: Database, table: string, tenantId?: string): Promise<string[]> {
  const condition = tenantId === undefined ? sql`1 = 1` : sql`tenant_id = ${tenantId}`;
  const query = sql<object>`select * from ${sql.table(table)} where ${condition}`;
  const { rows } = await query.execute(read.db as never);
  return rows.map((row) => JSON.stringify(row)).sort();
}

/** Returns every row of every table as text. */
export async function dumpTables(database: Database): Promise<Map<string, string[]>> {
  const dumps = new Map<string, string[]>();
  for (const table of await listTables(database)) dumps.set(table, await dumpTable(database, table));
  return dumps;
}

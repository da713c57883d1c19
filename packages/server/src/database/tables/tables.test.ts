import { listTables, useTestDatabase } from '@tps/testing/store';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { TABLE_NAMES, TABLES } from './index.ts';

const store = useTestDatabase();
/** Tables of PostgreSQL alone, which its rate limiter uses without Kysely. */
const UNDECLARED = ['rate_limit_admissions', 'rate_limit_keys', 'rate_limit_parts'];

test('every table of the store is declared', async () => {
  const stored = await listTables(store.database);
  expect(stored.filter((table) => !UNDECLARED.includes(table)).sort()).toEqual(TABLE_NAMES.toSorted());
});

test.each(TABLE_NAMES)('%s has the declared columns, types and key', async (table) => {
  const { columns, key } = TABLES[table];
  const stored = await readColumns(table);
  expect(Object.fromEntries(stored.map(({ name, kind }) => [name, kind]))).toEqual(
    Object.fromEntries(Object.entries<string>(columns).map(([name, kind]) => [name, toStored(kind)])),
  );
  const inKey = stored.filter(({ place }) => place > 0).sort((one, other) => one.place - other.place);
  expect(inKey.map(({ name }) => name)).toEqual(key);
});

interface StoredColumn {
  readonly name: string;
  readonly kind: string;
  /** From 1, in the primary key; otherwise 0. */
  readonly place: number;
}

function toStored(kind: string): string {
  const [known = '', suffix = ''] = kind.split(/(?= or null$)/);
  const plain = { json: 'text', time: 'integer', flag: 'integer', sealed: 'bytes' }[known] ?? known;
  return plain + suffix;
}

const ENGINE_TYPES: Readonly<Record<string, string>> = {
  TEXT: 'text',
  text: 'text',
  INTEGER: 'integer',
  bigint: 'integer',
  integer: 'integer',
  smallint: 'integer',
  REAL: 'real',
  'double precision': 'real',
  BLOB: 'bytes',
  bytea: 'bytes',
};

async function readColumns(table: string): Promise<StoredColumn[]> {
  const { db, engine } = store.database.read;
  const query =
    engine === 'sqlite'
      ? sql<{ name: string; type: string; required: number; place: number }>`
          select name, type, "notnull" as required, pk as place from pragma_table_info(${table})`
      : sql<{ name: string; type: string; required: number; place: number }>`
          select column_name as name, data_type as type, (is_nullable = 'NO')::int as required,
            coalesce((select ordinal_position from information_schema.key_column_usage as used
              join information_schema.table_constraints using (constraint_name)
              where constraint_type = 'PRIMARY KEY' and used.table_name = columns.table_name
                and used.column_name = columns.column_name), 0)::int as place
          from information_schema.columns where table_schema = 'public' and table_name = ${table}`;
  const { rows } = await query.execute(db);
  return rows.map(({ name, type, required, place }) => ({
    name,
    kind: `${ENGINE_TYPES[type] ?? type}${required || place > 0 ? '' : ' or null'}`,
    place,
  }));
}

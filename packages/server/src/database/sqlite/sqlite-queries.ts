import { CompiledQuery, type Kysely, sql } from 'kysely';
import {
  type BatchTexts,
  onConflictAdd,
  onConflictIgnore,
  onConflictOverwrite,
  quoted,
  quotedList,
  toBatch,
  toHex,
} from '../batch.ts';
import type { Queries, ReadQueries } from '../database.ts';
import { Parameter } from '../prepared-query.ts';
import type { LaterWork } from '../run-to-end.ts';
import type { Tables } from '../tables/index.ts';
import { RowBatch } from './sqlite-driver.ts';

export function createSqliteReadQueries(db: Kysely<Tables>): ReadQueries {
  return { engine: 'sqlite', db, anyOf, rowsOf };
}

/**
 * A batch runs one prepared statement per row. Measured with rows of 16 columns and 600 bytes of JSON, in µs per row, for
 * batches of 1 / 10 / 64 / 500: this 22 / 8 / 5 / 7, VALUES with many rows 22 / 9 / 5 / 5, `json_each` 38 / 16 / 10 / 13.
 * VALUES with many rows is faster for large batches only, and needs a statement text per number of rows.
 */
export function createSqliteQueries(
  db: Kysely<Tables>,
  { texts, ...later }: { readonly texts: BatchTexts } & LaterWork,
): Queries {
  const textOf = (key: string, build: () => string): string => {
    const text = texts.get(key) ?? build();
    texts.set(key, text);
    return text;
  };
  const runEach = async (text: string, rows: readonly (readonly unknown[])[]): Promise<number[]> => {
    const { rows: changes } = await db.executeQuery<number>(CompiledQuery.raw(text, [new RowBatch(rows)]));
    return changes;
  };
  const updateEach = async (
    table: string,
    keyColumns: readonly string[],
    rows: readonly object[],
  ): Promise<number[]> => {
    if (rows.length === 0) return [];
    const batch = toBatch(rows);
    const others = batch.columns.filter((column) => !keyColumns.includes(column));
    const order = [...others, ...keyColumns].map((column) => batch.columns.indexOf(column));
    return runEach(
      textOf(`update ${table} ${keyColumns} ${batch.columns}`, () => updateOf(table, others, keyColumns)),
      batch.rows.map((row) => order.map((position) => row[position])),
    );
  };
  return {
    ...createSqliteReadQueries(db),
    db,
    ...later,
    async insertMany(table, rows) {
      if (rows.length === 0) return;
      const batch = toBatch(rows);
      const text = textOf(`insert ${table} ${batch.columns}`, () => insertInto(table, batch.columns));
      await runEach(text, batch.rows);
    },
    async upsertMany(table, keyColumns, rows) {
      if (rows.length === 0) return;
      const batch = toBatch(rows);
      const text = textOf(
        `upsert ${table} ${keyColumns} ${batch.columns}`,
        () => `${insertInto(table, batch.columns)} ${onConflictOverwrite(batch.columns, keyColumns)}`,
      );
      await runEach(text, batch.rows);
    },
    async addMany(table, keyColumns, rows) {
      if (rows.length === 0) return;
      const batch = toBatch(rows);
      const text = textOf(
        `add ${table} ${keyColumns} ${batch.columns}`,
        () => `${insertInto(table, batch.columns)} ${onConflictAdd(table, batch.columns, keyColumns)}`,
      );
      await runEach(text, batch.rows);
    },

    async insertIgnoringConflicts(table, keyColumns, rows) {
      if (rows.length === 0) return [];
      const batch = toBatch(rows);
      const text = textOf(
        `insert new ${table} ${keyColumns} ${batch.columns}`,
        () => `${insertInto(table, batch.columns)} ${onConflictIgnore(keyColumns)}`,
      );
      const changes = await runEach(text, batch.rows);
      return changes.flatMap((count, index) => (count > 0 ? [index] : []));
    },
    async updateMany(table, keyColumns, rows) {
      await updateEach(table, keyColumns, rows);
    },
    async updateExisting(table, keyColumns, rows) {
      const changes = await updateEach(table, keyColumns, rows);
      return changes.flatMap((count, index) => (count > 0 ? [index] : []));
    },
  };
}

const anyOf: ReadQueries['anyOf'] = (column, values) => {
  const reference = typeof column === 'string' ? sql.ref(column) : column;
  if (values instanceof Parameter)
    return sql`${reference} in (select value from json_each(${values.encodedBy(toJsonList)}))`;
  // JSON has no bytes, so they are passed as hexadecimal digits.
  const first: unknown = values[0];
  if (first instanceof Uint8Array) {
    const digits = JSON.stringify(values.map((value) => toHex(value as Uint8Array)));
    return sql`${reference} in (select unhex(value) from json_each(${digits}))`;
  }
  return sql`${reference} in (select value from json_each(${JSON.stringify(values)}))`;
};

function toJsonList(values: readonly (string | number)[] | readonly Uint8Array[]): string {
  if (values[0] instanceof Uint8Array) throw new TypeError('A prepared query finds texts and numbers only.');
  return JSON.stringify(values);
}

const rowsOf: ReadQueries['rowsOf'] = (table, { tenantId, column, values, where = sql`true` }) =>
  sql<never>`(
    select * from ${sql.table(table)}
    where tenant_id = ${tenantId} and ${anyOf(sql.ref(column), values)} and ${where}
  )`.as(table);

function updateOf(table: string, columns: readonly string[], keyColumns: readonly string[]): string {
  const assignments = columns.map((column) => `${quoted(column)} = ?`).join(', ');
  const conditions = keyColumns.map((column) => `${quoted(column)} = ?`).join(' and ');
  return `update ${quoted(table)} set ${assignments} where ${conditions}`;
}

function insertInto(table: string, columns: readonly string[]): string {
  return `insert into ${quoted(table)} (${quotedList(columns)}) values (${columns.map(() => '?').join(', ')})`;
}

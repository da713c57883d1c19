import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Queries, ReadQueries } from '../../database/index.ts';
import type { Tables } from '../../database/tables/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { RecordSource } from './record-source.ts';
import type { SubjectMatcher } from './subject.ts';
import { isOfThreatWith } from './threat-condition-read-model.ts';

/** A window of 1,000 rows with short texts is searched in a few milliseconds, on SQLite without giving way. */
const ROWS_PER_WINDOW = 1_000;

type Value = string | number;
/** The column values of a key, in order. */
export type Key = readonly Value[];
export type Row = Readonly<Record<string, string | number | Uint8Array | null>>;
type TableName = keyof Tables & string;

/** A part of a table that was searched. */
export interface SearchedWindow {
  readonly rows: readonly Row[];
  /** The last key that was searched; undefined at the end of the table. */
  readonly until: Key | undefined;
}

/** Searches the next window of a table for records about the subject: at most `limit`. */
export async function searchWindow(
  queries: ReadQueries,
  tenantId: TenantId,
  search: {
    source: RecordSource;
    matcher: SubjectMatcher;
    after: Key | undefined;
    untilPosition: number;
    limit: number;
  },
): Promise<SearchedWindow> {
  const { source, matcher, after, untilPosition, limit } = search;
  const { table, key } = source;
  const about = aboutSubject(queries, source, matcher);
  if (about === undefined) return { rows: [], until: undefined };
  const columns = columnsOf(key);
  const inFeed = table === 'events' ? sql` and t.position <= ${untilPosition}` : sql``;
  const rest = sql`t.tenant_id = ${tenantId} and ${afterKey(key, after)}${inFeed}`;
  const end = await sql<Row>`
    select ${columns} from ${sql.table(table)} as t where ${rest}
    order by ${columns} limit 1 offset ${(source.rowsPerWindow ?? ROWS_PER_WINDOW) - 1}`.execute(
    queries.db as never,
  );
  const last = end.rows[0] && keyOf(source, end.rows[0]);
  const within = last ? sql`${rest} and (${columns}) <= (${valuesOf(last)})` : rest;
  const { rows } = await sql<Row>`
    select t.* from ${sql.table(table)} as t where ${within} and ${about}
    order by ${columns} limit ${limit}`.execute(queries.db as never);
  const final = rows.at(-1);
  return {
    rows: rows.filter((row) => isAboutSubject(row, source, matcher)),
    until: rows.length === limit && final ? keyOf(source, final) : last,
  };
}

export function keyOf({ key }: RecordSource, row: Row): Key {
  return key.map((column) => row[column] as Value);
}

/** Rows of a tenant whose columns hold these values: one column any of many, the others one each. */
interface RowsWhere {
  readonly table: TableName;
  readonly column: string;
  readonly values: readonly string[];
  readonly also?: Readonly<Record<string, string>>;
}

/** Deletes rows. With a slice, at most so many of them, which the columns of the key tell apart. */
export async function deleteWhere(
  tx: Queries,
  tenantId: TenantId,
  { slice, ...where }: RowsWhere & { slice?: { key: readonly string[]; limit: number } },
): Promise<number> {
  const { table, values } = where;
  if (values.length === 0) return 0;
  const condition = conditionOf(tx, tenantId, where);
  if (slice === undefined) return changedBy(tx, sql`delete from ${sql.table(table)} where ${condition}`);
  const key = sql.join(['tenant_id', ...slice.key].map((column) => sql.ref(column)));
  return changedBy(
    tx,
    sql`delete from ${sql.table(table)} where (${key}) in (
      select ${key} from ${sql.table(table)} where ${condition} limit ${slice.limit})`,
  );
}

/** Deletes rows by their keys. */
export async function deleteRows(
  tx: Queries,
  tenantId: TenantId,
  { source: { table, key }, keys }: { source: RecordSource; keys: readonly Key[] },
): Promise<number> {
  if (keys.length === 0) return 0;
  return changedBy(tx, sql`delete from ${sql.table(table)} as t where ${byKeys(tenantId, key, keys)}`);
}

/** Sets columns of rows. */
export async function updateRows(
  tx: Queries,
  tenantId: TenantId,
  {
    source: { table, key },
    keys,
    changes,
  }: { source: RecordSource; keys: readonly Key[]; changes: Readonly<Record<string, string | null>> },
): Promise<number> {
  const values = Object.entries(changes).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  return changedBy(
    tx,
    sql`update ${sql.table(table)} as t set ${sql.join(values)} where ${byKeys(tenantId, key, keys)}`,
  );
}

/** Lists rows by their keys. */
export async function listRows(
  queries: ReadQueries,
  tenantId: TenantId,
  { source: { table, key }, keys }: { source: RecordSource; keys: readonly Key[] },
): Promise<readonly Row[]> {
  if (keys.length === 0) return [];
  const query = sql<Row>`select t.* from ${sql.table(table)} as t where ${byKeys(tenantId, key, keys)}`;
  return (await query.execute(queries.db as never)).rows;
}

/** Lists the values, except null, of a column of rows: at most `limit`. */
export async function listValues(
  queries: ReadQueries,
  tenantId: TenantId,
  { select, limit, ...where }: RowsWhere & { select: string; limit?: number },
): Promise<string[]> {
  if (where.values.length === 0) return [];
  const most = limit === undefined ? sql`` : sql`limit ${limit}`;
  const { rows } = await sql<{ value: string }>`
    select distinct ${sql.ref(select)} as value from ${sql.table(where.table)}
    where ${conditionOf(queries, tenantId, where)} and ${sql.ref(select)} is not null ${most}`.execute(
    queries.db as never,
  );
  return rows.map(({ value }) => value);
}

function conditionOf(
  queries: ReadQueries,
  tenantId: TenantId,
  { column, values, also = {} }: RowsWhere,
): RawBuilder<SqlBool> {
  const others = Object.entries(also).map(([name, value]) => sql`and ${sql.ref(name)} = ${value}`);
  return sql<SqlBool>`tenant_id = ${tenantId} and ${queries.anyOf(sql.ref(column), values)}
    ${sql.join(others, sql` `)}`;
}

/** The condition in SQL, which may hold for more rows than the matcher: it does not know words. */
function aboutSubject(
  queries: ReadQueries,
  source: RecordSource,
  { subject, key, needles }: SubjectMatcher,
): RawBuilder<SqlBool> | undefined {
  const { deviceColumn, keyColumn, texts, isOfThreat } = source;
  const conditions: RawBuilder<SqlBool>[] = [];
  if (deviceColumn !== undefined && subject.type === 'device_id')
    conditions.push(sql<SqlBool>`${sql.ref(`t.${deviceColumn}`)} = ${subject.value}`);
  if (keyColumn !== undefined) conditions.push(sql<SqlBool>`${sql.ref(`t.${keyColumn}`)} = ${key}`);
  for (const column of texts)
    for (const needle of needles) conditions.push(contains(queries, `t.${column}`, needle));
  // With its quotes, it is a whole item of the list.
  if (isOfThreat && subject.type === 'indicator')
    conditions.push(isOfThreatWith(contains(queries, 'h.indicators', JSON.stringify(subject.value))));
  return conditions.length === 0 ? undefined : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

function isAboutSubject(row: Row, source: RecordSource, matcher: SubjectMatcher): boolean {
  const { deviceColumn, keyColumn, texts, isOfThreat } = source;
  const { subject, key } = matcher;
  if (deviceColumn !== undefined && row[deviceColumn] === subject.value) return true;
  if (keyColumn !== undefined && row[keyColumn] === key) return true;
  if (isOfThreat && subject.type === 'indicator') return true;
  return texts.some((column) => matcher.isNamedIn(String(row[column] ?? '')));
}

function contains({ engine }: ReadQueries, column: string, needle: string): RawBuilder<SqlBool> {
  return engine === 'sqlite'
    ? sql<SqlBool>`instr(${sql.ref(column)}, ${needle}) > 0`
    : sql<SqlBool>`strpos(${sql.ref(column)}, ${needle}) > 0`;
}

function byKeys(tenantId: TenantId, key: readonly string[], keys: readonly Key[]): RawBuilder<SqlBool> {
  const same = keys.map((values) => sql`(${columnsOf(key)}) = (${valuesOf(values)})`);
  return sql<SqlBool>`t.tenant_id = ${tenantId} and (${sql.join(same, sql` or `)})`;
}

function afterKey(key: readonly string[], after: Key | undefined): RawBuilder<SqlBool> {
  return after ? sql<SqlBool>`(${columnsOf(key)}) > (${valuesOf(after)})` : sql<SqlBool>`1 = 1`;
}

function columnsOf(key: readonly string[]): RawBuilder<unknown> {
  return sql.join(key.map((column) => sql.ref(`t.${column}`)));
}

function valuesOf(key: Key): RawBuilder<unknown> {
  return sql.join(key.map((value) => sql.val(value)));
}

async function changedBy(tx: Queries, query: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await query.execute(tx.db as never);
  return Number(numAffectedRows ?? 0);
}

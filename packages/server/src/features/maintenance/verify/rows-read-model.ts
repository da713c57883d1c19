import { type Selectable, sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import type { Tables } from '../../../database/tables/index.ts';

/** The number of rows in memory at a time. */
export const PAGE = 200;

/** Reads the rows of a tenant in the order of a key, page by page. */
export async function* pagesOf<T extends keyof Tables & string>(
  { db }: ReadQueries,
  table: T,
  { tenantId, key }: { tenantId: string; key: readonly (keyof Tables[T] & string)[] },
): AsyncGenerator<Selectable<Tables[T]>[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let after = sql`1 = 1`;
  for (;;) {
    const query = sql<Selectable<Tables[T]>>`
      select * from ${sql.table(table)} where tenant_id = ${tenantId} and ${after}
      order by ${columns} limit ${sql.lit(PAGE)}`;
    const { rows } = await query.execute(db as never);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    const values = key.map((column) => sql.val((last as Record<string, unknown>)[column]));
    after = sql`(${columns}) > (${sql.join(values)})`;
  }
}

/** Lists the rows of a tenant with one of these values in a column. */
export async function rowsWith<T extends keyof Tables & string>(
  queries: ReadQueries,
  table: T,
  {
    tenantId,
    column,
    values,
  }: { tenantId: string; column: keyof Tables[T] & string; values: readonly string[] },
): Promise<Selectable<Tables[T]>[]> {
  if (values.length === 0) return [];
  const query = sql<Selectable<Tables[T]>>`
    select * from ${sql.table(table)}
    where tenant_id = ${tenantId} and ${queries.anyOf(sql.ref(column), [...new Set(values)])}`;
  return (await query.execute(queries.db as never)).rows;
}

/** Returns those of some values that a column of the tenant's rows contains. */
export async function existing<T extends keyof Tables & string>(
  queries: ReadQueries,
  table: T,
  {
    tenantId,
    column,
    values,
  }: { tenantId: string; column: keyof Tables[T] & string; values: readonly string[] },
): Promise<Set<string>> {
  if (values.length === 0) return new Set();
  const query = sql<{ value: string }>`
    select distinct ${sql.ref(column)} as value from ${sql.table(table)}
    where tenant_id = ${tenantId} and ${queries.anyOf(sql.ref(column), [...new Set(values)])}`;
  const { rows } = await query.execute(queries.db as never);
  return new Set(rows.map((row) => row.value));
}

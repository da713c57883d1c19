import { type Expression, type SqlBool, sql } from 'kysely';
import { firstIdAt } from '../platform/identifiers.ts';
import type { AnyOf, TimeRange } from '../platform/list-filters.ts';
import type { ReadQueries } from './database.ts';

export type Condition = Expression<SqlBool>;

/** The name of a column, or an expression in its place. */
type Column = string | Expression<unknown>;

/** The time that 48 bits of an id can hold. */
const MAX_ID_MS = 2 ** 48 - 1;

/** Joins conditions. Without any, everything matches. */
export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

/**
 * The condition of a filter on a column, or none without a filter. One value is compared with `=`, which partial indexes
 * and planners understand best. A missing value (null) is none of the listed ones.
 */
export function matches(queries: ReadQueries, column: Column, filter: AnyOf | undefined): Condition[] {
  if (filter === undefined) return [];
  const { not, values } = filter;
  const reference = toReference(column);
  const [first = ''] = values;
  const found =
    values.length === 1 ? sql<SqlBool>`${reference} = ${first}` : queries.anyOf(reference, values);
  return [not ? sql<SqlBool>`(${reference} is null or not (${found}))` : found];
}

/** Like `matches`, where one of the values is a word for null. */
export function matchesOrNull(
  queries: ReadQueries,
  column: Column,
  { filter, nullWord }: { filter: AnyOf | undefined; nullWord: string },
): Condition[] {
  if (!filter?.values.includes(nullWord)) return matches(queries, column, filter);
  const reference = toReference(column);
  const values = filter.values.filter((value) => value !== nullWord);
  const found = sql<SqlBool>`(${reference} is null or ${queries.anyOf(reference, values)})`;
  return [filter.not ? sql<SqlBool>`not ${found}` : found];
}

/** Like `matches` for a column with a JSON array of texts: one of its items is one of the values. */
export function matchesItems(queries: ReadQueries, column: Column, filter: AnyOf | undefined): Condition[] {
  if (filter === undefined) return [];
  const reference = toReference(column);
  const found =
    queries.engine === 'postgres'
      ? sql<SqlBool>`jsonb_exists_any(${reference}::jsonb, ${filter.values})`
      : sql<SqlBool>`exists (select 1 from json_each(${reference}) as item where ${queries.anyOf(sql`item.value`, filter.values)})`;
  return [filter.not ? sql<SqlBool>`not ${found}` : found];
}

/** The conditions of a range of time. */
export function within(column: Column, { sinceMs, untilMs }: TimeRange): Condition[] {
  const reference = toReference(column);
  return [
    ...(sinceMs === undefined ? [] : [sql<SqlBool>`${reference} >= ${sinceMs}`]),
    ...(untilMs === undefined ? [] : [sql<SqlBool>`${reference} < ${untilMs}`]),
  ];
}

/** The same for a column with ids that the service made: they sort by time, so that the key of the table is searched. */
export function idsWithin(column: Column, prefix: string, { sinceMs, untilMs }: TimeRange): Condition[] {
  const reference = toReference(column);
  const firstId = (ms: number) => firstIdAt(prefix, Math.min(Math.max(Math.floor(ms), 0), MAX_ID_MS));
  return [
    ...(sinceMs === undefined ? [] : [sql<SqlBool>`${reference} >= ${firstId(sinceMs)}`]),
    ...(untilMs === undefined ? [] : [sql<SqlBool>`${reference} < ${firstId(untilMs)}`]),
  ];
}

function toReference(column: Column): Expression<unknown> {
  return typeof column === 'string' ? sql.ref(column) : column;
}

import { type SqlBool, sql } from 'kysely';
import type { Condition, ReadQueries } from '../../database/index.ts';
import type { AnyOf } from '../../platform/list-filters.ts';
import { indicatorFilterKeyOf, policyKeyOf, wordKeyOf } from './filter-keys.ts';

/** Filters whose values have keys. */
export interface KeyedFilter {
  readonly severity?: AnyOf | undefined;
  readonly category?: AnyOf | undefined;
  readonly action?: AnyOf | undefined;
  readonly platform?: AnyOf | undefined;
  readonly policyId?: AnyOf | undefined;
  readonly indicator?: AnyOf | undefined;
}

/** The conditions of a filter on the keys of an event alone. Every event that passes the filter fulfils them. */
export function filterKeyConditions(queries: ReadQueries, filter: KeyedFilter): Condition[] {
  return [
    ...words(queries, filter.severity),
    ...words(queries, filter.category),
    ...words(queries, filter.action),
    ...words(queries, filter.platform),
    ...texts(queries, filter.policyId, policyKeyOf),
    ...texts(queries, filter.indicator, indicatorFilterKeyOf),
  ];
}

/** Whether an event can have one of the values with these keys. The body of an event of an older version, without keys, decides. */
export function mayHave(queries: ReadQueries, keys: readonly string[]): Condition {
  return sql<SqlBool>`(filter_keys is null or ${contains(queries, 'filter_keys', keys)})`;
}

/** Whether a column contains one of the texts. */
export function contains({ engine }: ReadQueries, column: string, texts: readonly string[]): Condition {
  const find = sql.raw(engine === 'postgres' ? 'strpos' : 'instr');
  const found = texts.map((text) => sql`${find}(${sql.ref(column)}, ${text}) > 0`);
  return sql<SqlBool>`(${sql.join(found, sql` or `)})`;
}

function words(queries: ReadQueries, filter: AnyOf | undefined): Condition[] {
  if (filter === undefined) return [];
  const keys = filter.values.map(wordKeyOf);
  if (!filter.not) return [mayHave(queries, keys)];
  return [sql<SqlBool>`(filter_keys is null or not ${contains(queries, 'filter_keys', keys)})`];
}

/** Other texts can have the same key, so a key excludes nothing. */
function texts(
  queries: ReadQueries,
  filter: AnyOf | undefined,
  toKey: (text: string) => string,
): Condition[] {
  return filter === undefined || filter.not ? [] : [mayHave(queries, filter.values.map(toKey))];
}

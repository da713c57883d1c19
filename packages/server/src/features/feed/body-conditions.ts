import { type Expression, type SqlBool, sql } from 'kysely';
import type { Condition, ReadQueries } from '../../database/index.ts';
import type { AnyOf } from '../../platform/list-filters.ts';

/** Filters by members that have no column. */
interface BodyFilter {
  readonly action?: AnyOf | undefined;
  readonly platform?: AnyOf | undefined;
  readonly policyId?: AnyOf | undefined;
  readonly indicator?: AnyOf | undefined;
}

/** More texts than these are not sought before the body is parsed. */
const MAX_SOUGHT = 5;

/**
 * The conditions of filters on the stored text of an event. It is canonical JSON: its members are sorted, without spaces,
 * and a quote in a text is escaped. A text that is not in the body therefore rules an event out without parsing it: on
 * SQLite, that takes 0.3 µs instead of 5.
 */
export function bodyConditions(queries: ReadQueries, filter: BodyFilter): Condition[] {
  const { engine } = queries;
  const indicators = engine === 'postgres' ? sql`body::jsonb -> 'indicators'` : sql`body`;
  return [
    ...actionCondition(filter.action),
    ...textCondition(queries, filter.platform, {
      toText: (platform) => `"device_platform":${JSON.stringify(platform)}`,
      toCondition: (values) => queries.anyOf(textAt(queries, 'metadata', 'device_platform'), values),
    }),
    ...textCondition(queries, filter.policyId, {
      toText: (policyId) => `"policy_id":${JSON.stringify(policyId)}`,
      toCondition: (values) => queries.anyOf(textAt(queries, 'policy_id'), values),
    }),
    ...textCondition(queries, filter.indicator, {
      toText: (indicator) => JSON.stringify(indicator),
      toCondition: (values) =>
        engine === 'postgres'
          ? sql`coalesce(jsonb_exists_any(${indicators}, ${values}), false)`
          : sql`exists (select 1 from json_each(body, '$.indicators') as item where ${queries.anyOf(sql`item.value`, values)})`,
    }),
  ];
}

/** `action_taken` is the first member of every event. */
function actionCondition(filter: AnyOf | undefined): Condition[] {
  if (filter === undefined) return [];
  const beginnings = filter.values.map((action) => `{"action_taken":${JSON.stringify(action)}`);
  const found = sql.join(
    beginnings.map((text) => sql`substr(body, 1, ${sql.lit(text.length)}) = ${text}`),
    sql` or `,
  );
  return [filter.not ? sql<SqlBool>`not (${found})` : sql<SqlBool>`(${found})`];
}

interface SoughtText {
  readonly toText: (value: string) => string;
  /** Decides about a body that has one of the texts. */
  readonly toCondition: (values: readonly string[]) => Condition;
}

function textCondition(
  { engine }: ReadQueries,
  filter: AnyOf | undefined,
  { toText, toCondition }: SoughtText,
): Condition[] {
  if (filter === undefined) return [];
  const { not, values } = filter;
  const find = sql.raw(engine === 'postgres' ? 'strpos' : 'instr');
  const sought = values.map((value) => sql`${find}(body, ${toText(value)}) > 0`);
  const isThere = values.length > MAX_SOUGHT ? sql`true` : sql`(${sql.join(sought, sql` or `)})`;
  const found = sql<SqlBool>`(${isThere} and ${toCondition(values)})`;
  return [not ? sql<SqlBool>`not ${found}` : found];
}

/** A member that is a text; empty if it is missing. */
function textAt({ engine }: ReadQueries, ...path: readonly string[]): Expression<unknown> {
  return engine === 'postgres'
    ? sql`coalesce(body::jsonb #>> ${sql.lit(`{${path.join(',')}}`)}, '')`
    : sql`coalesce(json_extract(body, ${sql.lit(`$.${path.join('.')}`)}), '')`;
}

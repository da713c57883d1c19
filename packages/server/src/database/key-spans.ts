import { type Expression, type SqlBool, sql } from 'kysely';
import { allOf, type Condition } from './conditions.ts';
import type { ReadQueries } from './database.ts';

type KeyValue = string | number;

/** Rows of one table in the order of an index. */
export interface KeyedRows {
  /** The table, with an alias if the other parts have it. */
  readonly from: Expression<unknown>;
  /** Selects a range of the index: the tenant, and bounds of the key. */
  readonly scope: readonly Condition[];
  /** What follows the columns of `scope` in the index. */
  readonly key: readonly Expression<unknown>[];
  /** Rows that one statement may examine on SQLite, where examining one takes longer than usual. */
  readonly rowsPerStatement?: number | undefined;
}

/** Such rows, of which those that match are wanted. */
export interface FilteredRows extends KeyedRows {
  readonly conditions: readonly Condition[];
  /** Conditions on the columns of an index that begins with those of `scope` and the key. Other rows are not read. */
  readonly indexed?: readonly Condition[] | undefined;
}

/** The condition of the matching rows within a range of the key. */
export function matchingWithin(
  { from, key, indexed = [], conditions }: FilteredRows,
  range: readonly Condition[],
): Condition {
  if (indexed.length === 0) return allOf([...range, ...conditions]);
  const keys = sql.join(key);
  const found = sql<SqlBool>`(${keys}) in (select ${keys} from ${from} where ${allOf([...range, ...indexed])})`;
  return allOf([...range, found, ...conditions]);
}

/** A part of such rows, without gaps. */
interface KeySpan {
  readonly conditions: readonly Condition[];
  /** The key of its last row, if rows follow. */
  readonly end: readonly KeyValue[] | undefined;
  /** The most rows that it can have. */
  readonly size: number;
}

/**
 * SQLite runs a statement in one piece on the main thread: one that examines 5,000 rows takes about 3 ms. On PostgreSQL,
 * the round trips cost more than the rows.
 */
const ROWS_PER_SPAN = { sqlite: 5_000, postgres: 50_000 } as const;
/** A page is often found among the first rows. */
const FIRST_ROWS = 500;

function rowsPerSpan({ engine }: ReadQueries, { rowsPerStatement }: KeyedRows): number {
  return engine === 'sqlite' && rowsPerStatement !== undefined ? rowsPerStatement : ROWS_PER_SPAN[engine];
}

/** `desc`: the last row of the index first. */
type Direction = 'asc' | 'desc';
const BEHIND = { asc: sql`>`, desc: sql`<` } as const;
const UP_TO = { asc: sql`<=`, desc: sql`>=` } as const;

/** The condition that a row is behind a position, in the order of the list. */
function behind(key: KeyedRows['key'], position: readonly KeyValue[], direction: Direction): Condition {
  return sql<SqlBool>`(${sql.join(key)}) ${BEHIND[direction]} (${sql.join([...position])})`;
}

/** Cuts rows into spans that one statement each can examine. Finds each span when it is asked for. */
export async function* keySpans(
  queries: ReadQueries,
  rows: KeyedRows,
  { first = rowsPerSpan(queries, rows), direction = 'desc' }: { first?: number; direction?: Direction } = {},
): AsyncGenerator<KeySpan> {
  const order = sql.join(rows.key.map((part) => sql`${part} ${sql.raw(direction)}`));
  let rest = rows.scope;
  for (let size = first; ; size = Math.min(size * 2, rowsPerSpan(queries, rows))) {
    const { rows: found } = await sql<Record<string, KeyValue>>`
      select ${sql.join(rows.key.map((part, index) => sql`${part} as ${sql.ref(`part_${index}`)}`))}
      from ${rows.from} where ${allOf(rest)} order by ${order} limit 1 offset ${sql.lit(size - 1)}`.execute(
      queries.db as never,
    );
    const end = found[0] && Object.values(found[0]);
    if (end === undefined) return yield { conditions: rest, end, size };
    const to = sql<SqlBool>`(${sql.join(rows.key)}) ${UP_TO[direction]} (${sql.join(end)})`;
    yield { conditions: [...rest, to], end, size };
    rest = [...rows.scope, behind(rows.key, end, direction)];
  }
}

/**
 * Lists the matching rows of a page. `read` returns the rows that fulfil a condition, in this order. On
 * SQLite it is called for one span after the other, so that a filter that matches little shares the main thread.
 */
export async function readFiltered<Row>(
  queries: ReadQueries,
  rows: FilteredRows,
  {
    page: { after, limit },
    direction = 'desc',
    read,
  }: {
    direction?: Direction;
    page: { readonly after: readonly KeyValue[] | undefined; readonly limit: number };
    read: (where: Condition, limit: number) => Promise<Row[]>;
  },
): Promise<Row[]> {
  const scope = after === undefined ? rows.scope : [...rows.scope, behind(rows.key, after, direction)];
  if (queries.engine === 'postgres' || rows.conditions.length === 0) {
    return read(matchingWithin(rows, scope), limit);
  }
  const found: Row[] = [];
  const first = Math.min(FIRST_ROWS, rowsPerSpan(queries, rows));
  for await (const span of keySpans(queries, { ...rows, scope }, { first, direction })) {
    found.push(...(await read(matchingWithin(rows, span.conditions), limit - found.length)));
    if (found.length >= limit) break;
  }
  return found;
}

/** Counts the matching rows, however many there are. */
export async function countFiltered(queries: ReadQueries, rows: FilteredRows): Promise<number> {
  const count = async (range: readonly Condition[]) => {
    const query = sql<{ total: number }>`
      select count(*) as total from ${rows.from} where ${matchingWithin(rows, range)}`;
    return Number((await query.execute(queries.db as never)).rows[0]?.total ?? 0);
  };
  if (queries.engine === 'postgres') return count(rows.scope);
  let total = 0;
  for await (const span of keySpans(queries, rows)) total += await count(span.conditions);
  return total;
}

import { sql } from 'kysely';
import { allOf, type Condition } from './conditions.ts';
import type { ReadQueries } from './database.ts';

/** Rows that a list shows, newest first by one column. */
export interface KeyedRows {
  readonly table: string;
  /** Ascends with time. An index begins with the columns of `scope` and this one. */
  readonly key: string;
  /** Selects a range of that index: the tenant, and bounds of the key. */
  readonly scope: readonly Condition[];
}

/** A part of such rows, without gaps. */
export interface KeySpan {
  readonly conditions: readonly Condition[];
  /** The lowest key that it can have; undefined in the last one. */
  readonly first: string | number | undefined;
  /** Whether no older rows follow. */
  readonly isLast: boolean;
}

/**
 * SQLite runs a statement in one piece on the main thread: one that examines 5,000 rows takes about 3 ms. On PostgreSQL,
 * the round trips cost more than the rows.
 */
const ROWS_PER_SPAN = { sqlite: 5_000, postgres: 50_000 } as const;

export function rowsPerSpan(queries: ReadQueries): number {
  return ROWS_PER_SPAN[queries.engine];
}

/** Cuts rows into spans that one statement each can examine, the newest first. Finds each span when it is asked for. */
export async function* keySpans(queries: ReadQueries, rows: KeyedRows): AsyncGenerator<KeySpan> {
  const key = sql.ref(rows.key);
  let before: Condition[] = [];
  for (;;) {
    const within = [...rows.scope, ...before];
    const { rows: found } = await sql<{ first: string | number }>`
      select ${key} as first from ${sql.table(rows.table)} where ${allOf(within)}
      order by ${key} desc limit 1 offset ${sql.lit(rowsPerSpan(queries) - 1)}`.execute(queries.db as never);
    const first = found[0]?.first;
    if (first === undefined) return yield { conditions: within, first, isLast: true };
    yield { conditions: [...within, sql`${key} >= ${first}`], first, isLast: false };
    before = [sql`${key} < ${first}`];
  }
}

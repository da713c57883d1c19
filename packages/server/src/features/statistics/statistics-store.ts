import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Queries, ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import {
  type ColumnOf,
  type Counts,
  STATISTICS_COLUMNS,
  type StatisticsTable,
} from './statistics-columns.ts';
import { HOUR_MS, hourOf } from './statistics-hour.ts';

const KEY = ['tenant_id', 'hour'] as const;
const MAX_REMOVED = 1_000;

/** The counts of a tenant in the hour of a time. */
export interface TenantCounts<T extends StatisticsTable> {
  readonly tenantId: TenantId;
  readonly atMs: number;
  readonly counts: Counts<T>;
}

/** A range of time, half-open. */
export interface StatisticsRange {
  readonly sinceMs: number;
  readonly untilMs: number;
}

type Row = Record<string, string | number>;

/** One statement per table: only so can a test see which tables a file writes. */
const ADD_ROWS: Readonly<Record<StatisticsTable, (tx: Queries, rows: readonly Row[]) => Promise<void>>> = {
  event_statistics: (tx, rows) => tx.addMany('event_statistics', KEY, rows as never),
  incident_statistics: (tx, rows) => tx.addMany('incident_statistics', KEY, rows as never),
  delivery_statistics: (tx, rows) => tx.addMany('delivery_statistics', KEY, rows as never),
  scan_statistics: (tx, rows) => tx.addMany('scan_statistics', KEY, rows as never),
};

const SELECT_SUMS: Readonly<
  Record<
    StatisticsTable,
    (parts: Readonly<Record<'sums' | 'where', RawBuilder<unknown>>>) => RawBuilder<unknown>
  >
> = {
  event_statistics: ({ sums, where }) => sql`select ${sums} from event_statistics where ${where}`,
  incident_statistics: ({ sums, where }) => sql`select ${sums} from incident_statistics where ${where}`,
  delivery_statistics: ({ sums, where }) => sql`select ${sums} from delivery_statistics where ${where}`,
  scan_statistics: ({ sums, where }) => sql`select ${sums} from scan_statistics where ${where}`,
};

const CLEAR: Readonly<
  Record<
    StatisticsTable,
    (parts: Readonly<Record<'zeros' | 'where', RawBuilder<unknown>>>) => RawBuilder<unknown>
  >
> = {
  event_statistics: ({ zeros, where }) => sql`update event_statistics set ${zeros} where ${where}`,
  incident_statistics: ({ zeros, where }) => sql`update incident_statistics set ${zeros} where ${where}`,
  delivery_statistics: ({ zeros, where }) => sql`update delivery_statistics set ${zeros} where ${where}`,
  scan_statistics: ({ zeros, where }) => sql`update scan_statistics set ${zeros} where ${where}`,
};

const SELECT_FIRST: Readonly<
  Record<StatisticsTable, (tenantId: TenantId) => RawBuilder<{ hour: number | null }>>
> = {
  event_statistics: (id) => sql`select min(hour) as hour from event_statistics where tenant_id = ${id}`,
  incident_statistics: (id) => sql`select min(hour) as hour from incident_statistics where tenant_id = ${id}`,
  delivery_statistics: (id) => sql`select min(hour) as hour from delivery_statistics where tenant_id = ${id}`,
  scan_statistics: (id) => sql`select min(hour) as hour from scan_statistics where tenant_id = ${id}`,
};

const REMOVE: Readonly<
  Record<StatisticsTable, (where: RawBuilder<SqlBool>) => RawBuilder<Row & { hour: number }>>
> = {
  event_statistics: (where) => sql`delete from event_statistics where ${where} returning *`,
  incident_statistics: (where) => sql`delete from incident_statistics where ${where} returning *`,
  delivery_statistics: (where) => sql`delete from delivery_statistics where ${where} returning *`,
  scan_statistics: (where) => sql`delete from scan_statistics where ${where} returning *`,
};

/**
 * Adds counts to the rows of their hours, in one statement. Counts of one tenant and hour are summed before.
 *
 * One row per hour, with a column per value. Measured on SQLite for a year of a busy tenant, against one row per hour and
 * value: 3 µs per group of events instead of 13 to 48, and 10 ms to read all values by day instead of 90.
 */
export async function add<T extends StatisticsTable>(
  tx: Queries,
  table: T,
  added: readonly TenantCounts<T>[],
): Promise<void> {
  const rows = new Map<string, Row>();
  for (const { tenantId, atMs, counts } of added) {
    const entries = Object.entries<number | undefined>(counts).filter(([, count]) => count);
    if (entries.length === 0) continue;
    const hour = hourOf(atMs);
    const key = `${tenantId} ${hour}`;
    const row = rows.get(key) ?? emptyRow(table, { tenantId, hour });
    for (const [column, count] of entries) row[column] = Number(row[column]) + Number(count);
    rows.set(key, row);
  }
  await ADD_ROWS[table](tx, [...rows.values()]);
}

/** Sets columns of a tenant to 0 in a range. */
export async function clear<T extends StatisticsTable>(
  tx: Queries,
  table: T,
  { tenantId, columns, ...range }: { tenantId: TenantId; columns: readonly ColumnOf<T>[] } & StatisticsRange,
): Promise<void> {
  const zeros = sql.join(columns.map((column) => sql`${sql.ref(column)} = 0`));
  await CLEAR[table]({ zeros, where: within(tenantId, range) }).execute(tx.db);
}

/** Locks the row of an hour until the transaction ends, and creates it if necessary. */
export async function lockHour(
  tx: Queries,
  table: StatisticsTable,
  { tenantId, atMs }: { tenantId: TenantId; atMs: number },
): Promise<void> {
  await ADD_ROWS[table](tx, [emptyRow(table, { tenantId, hour: hourOf(atMs) })]);
}

/** Finds the oldest hour of a tenant. */
export async function findFirstHour(
  queries: ReadQueries,
  table: StatisticsTable,
  tenantId: TenantId,
): Promise<number | undefined> {
  const { rows } = await SELECT_FIRST[table](tenantId).execute(queries.db);
  return rows[0]?.hour ?? undefined;
}

/** Removes the hours of a tenant from `startMs` on and before `untilMs`, at most 1000, and returns them. */
export async function removeBefore(
  tx: Queries,
  table: StatisticsTable,
  { tenantId, startMs, untilMs }: { tenantId: TenantId; startMs: number; untilMs: number },
): Promise<(Row & { hour: number })[]> {
  const range = { sinceMs: startMs, untilMs: Math.min(untilMs, startMs + MAX_REMOVED * HOUR_MS) };
  // In one statement: of two processes, only one gets a row.
  const { rows } = await REMOVE[table](within(tenantId, range)).execute(tx.db);
  return rows;
}

/** The sums of a bucket of time, in the order in which they were asked for. */
export interface StatisticsBucket {
  readonly startMs: number;
  readonly sums: readonly number[];
}

/**
 * Sums columns of a tenant by buckets of `bucketMs` from `sinceMs` on, oldest first. Each element of `sums` names the columns
 * of one sum. The range has whole buckets. Buckets without a row are left out.
 *
 * Reads the rows of each bucket by their key: on SQLite, `group by` sorts all rows with all their columns first. The result
 * is one text in JSON. A year of everything by day with every breakdown takes 13.4 ms of processor time in PostgreSQL and
 * 0.4 ms in the client. An array in JSON per bucket took 14.8 and 1.6 ms; `group by` with sums of `float8` and a row per
 * bucket took 13.5 and 1.2 ms.
 */
export async function listSums(
  queries: ReadQueries,
  table: StatisticsTable,
  {
    tenantId,
    sums,
    bucketMs,
    sinceMs,
    untilMs,
  }: { tenantId: TenantId; sums: readonly (readonly string[])[]; bucketMs: number } & StatisticsRange,
): Promise<StatisticsBucket[]> {
  const list = sql.join(
    sums.map(
      (columns) =>
        sql`sum(${sql.join(
          columns.map((column) => sql.ref(column)),
          sql` + `,
        )})`,
    ),
  );
  const bucket = sql`cast(${bucketMs} as bigint)`;
  const sumsOfBucket = SELECT_SUMS[table]({
    sums: sql`'[' || concat_ws(',', ${list}) || ']'`,
    where: sql`tenant_id = ${tenantId} and hour >= start and hour < start + ${bucket}`,
  });
  const query = sql<{ list: string | null }>`
    with recursive buckets (start) as (
      select cast(${sinceMs} as bigint) where cast(${sinceMs} as bigint) < ${untilMs}
      union all select start + ${bucket} from buckets where start + ${bucket} < ${untilMs}
    )
    select string_agg(sums, ',' order by start) as list
    from (select start, (${sumsOfBucket}) as sums from buckets) as summed`;
  const { rows } = await query.execute(queries.db);
  const found = JSON.parse(`[${rows[0]?.list ?? ''}]`) as number[][];
  return found
    .map((values, index) => ({ startMs: sinceMs + index * bucketMs, sums: values }))
    .filter((each) => each.sums.length > 0);
}

function within(tenantId: TenantId, { sinceMs, untilMs }: StatisticsRange): RawBuilder<SqlBool> {
  return sql<SqlBool>`tenant_id = ${tenantId} and hour >= ${sinceMs} and hour < ${untilMs}`;
}

/** All columns, so that the statement has one text. */
function emptyRow(table: StatisticsTable, { tenantId, hour }: { tenantId: TenantId; hour: number }): Row {
  const zeros = STATISTICS_COLUMNS[table].map((column) => [column, 0] as const);
  return { tenant_id: tenantId, hour, ...Object.fromEntries(zeros) };
}

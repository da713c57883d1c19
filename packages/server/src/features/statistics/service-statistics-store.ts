import type { Queries, ReadQueries } from '../../database/index.ts';
import { STATISTICS_COLUMNS, type StatisticsTable } from './statistics-columns.ts';
import { dayOf } from './statistics-hour.ts';

/** A count of the whole service on a UTC day. */
export interface ServiceCount {
  readonly dayMs: number;
  readonly name: string;
  readonly count: number;
}

/** Adds the counts of hours to those of their days. Devices per hour are left out: they cannot be summed over a day. */
export async function add(
  tx: Queries,
  table: StatisticsTable,
  rows: readonly (Readonly<Record<string, unknown>> & { readonly hour: number })[],
): Promise<void> {
  const counts = new Map<string, { day: number; name: string; count: number }>();
  const columns = (STATISTICS_COLUMNS[table] as readonly string[]).filter((column) => column !== 'devices');
  for (const row of rows) {
    const day = dayOf(row.hour);
    for (const column of columns) {
      const added = Number(row[column]);
      if (added === 0) continue;
      const name = `${table.replace('_statistics', '')}.${column}`;
      const key = `${day} ${name}`;
      counts.set(key, { day, name, count: (counts.get(key)?.count ?? 0) + added });
    }
  }
  await tx.addMany('service_statistics', ['day', 'name'], [...counts.values()]);
}

/** Lists the counts of the whole service, oldest day first. */
export async function list(queries: ReadQueries): Promise<ServiceCount[]> {
  const rows = await queries.db
    .selectFrom('service_statistics')
    .select(['day', 'name', 'count'])
    .orderBy('day')
    .orderBy('name')
    .execute();
  return rows.map(({ day, name, count }) => ({ dayMs: day, name, count }));
}

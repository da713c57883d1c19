import { sql } from 'kysely';
import type { ReadQueries } from '../../database/index.ts';

/** The most that are counted: each is a lookup in the index of unresolved incidents, and one of the row. */
const MAX_COUNTED = 10_000;

interface UnresolvedCount {
  readonly status: string;
  readonly severity: string;
  readonly total: number;
}

/** Counts the unresolved incidents of all tenants. */
export async function countUnresolved(queries: ReadQueries): Promise<UnresolvedCount[]> {
  const query = sql<UnresolvedCount>`
    select status, severity, count(*) as total
    from (select status, severity from incidents
          where status in ('open', 'in_progress', 'on_hold') limit ${sql.lit(MAX_COUNTED)}) as unresolved
    group by status, severity`;
  const { rows } = await query.execute(queries.db as never);
  return rows.map((row) => ({ ...row, total: Number(row.total) }));
}

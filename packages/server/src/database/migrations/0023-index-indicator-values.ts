import { type Kysely, sql } from 'kysely';

/** Safe beside an older version: it adds an index, which no query names. */
export async function indexIndicatorValues(db: Kysely<unknown>): Promise<void> {
  // The expression is that of the search. The longest values do not fit into an index of PostgreSQL.
  await sql`create index indicators_by_value on indicators (
    tenant_id, (substr(value, 1, 200)), source, type, digest
  )`.execute(db);
}

import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version, which leaves the new columns empty: what it stores is not counted and ends after an hour
 * at the latest. It reads none of them.
 */
export async function boundAskers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text } = columnTypes(engine);
  for (const table of ['oauth_records', 'account_challenges']) {
    await db.schema.alterTable(table).addColumn('asked_by', text).execute();
    await sql`create index ${sql.ref(`${table}_by_asker`)} on ${sql.table(table)} (asked_by, created_at)
      where asked_by is not null`.execute(db);
  }
}

import type { Database } from '@tps/server/store';
import { sql } from 'kysely';

/** Counts the deadlocks of a PostgreSQL database so far. The nodes with these connections are its only users. */
export async function countDeadlocks(databases: readonly Database[]): Promise<number> {
  for (const database of databases) await reportCounts(database);
  const { rows } = await sql<{ deadlocks: string }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(
    databases[0]?.read.db as never,
  );
  return Number(rows[0]?.deadlocks);
}

/** A session keeps its counts for up to ten seconds. All sessions of the pool report theirs: each has one transaction. */
async function reportCounts(database: Database): Promise<void> {
  const { limit } = database.connectionUse();
  let release = () => {};
  const allBegun = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = 0;
  const report = () =>
    database.transaction(async (tx) => {
      await sql`select pg_stat_force_next_flush()`.execute(tx.db);
      begun += 1;
      if (begun === limit) release();
      await allBegun;
    });
  await Promise.all(Array.from({ length: limit }, report));
}

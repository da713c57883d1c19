import type { Database } from '@tps/server/store';
import { sql } from 'kysely';

/** Returns how many transactions on this database wait for a lock of another. On PostgreSQL only: on SQLite none does. */
export async function countWaiting({ db }: Database['read']): Promise<number> {
  const waiting = sql`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await waiting.execute(db)).rows.length;
}

import type { ThreadDatabase } from './database.ts';
import { openPostgresInThread } from './postgres/postgres-database.ts';
import { openSqliteInThread } from './sqlite/sqlite-database.ts';

/** Opens the store that `openDatabase` has opened in this process, for another thread, which only writes. */
export function openInThread(url: string, options: { poolSize: number }): ThreadDatabase {
  return url.startsWith('sqlite:') ? openSqliteInThread(url) : openPostgresInThread(url, options);
}

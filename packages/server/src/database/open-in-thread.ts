import type { ThreadDatabase } from './database.ts';
import { openPostgresInThread } from './postgres/postgres-database.ts';
import { openSqliteInThread } from './sqlite/sqlite-database.ts';

/** Opens the store in a thread that only writes. `openDatabase` must already have opened it in this process. */
export function openInThread(url: string, options: { poolSize: number }): ThreadDatabase {
  return url.startsWith('sqlite:') ? openSqliteInThread(url) : openPostgresInThread(url, options);
}

import type { Database, DatabaseOptions } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { openPostgres } from './postgres/postgres-database.ts';
import { openSqlite } from './sqlite/sqlite-database.ts';

/**
 * Opens the store and brings its schema up to date.
 *
 * @param url `sqlite:./data/service.db`, or `postgres://user:password@host/database`.
 * @throws Error when the engine does not hold the durability asked of it, the file is damaged or in use, or the schema is newer.
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const settings = { migrations: MIGRATIONS, ...options };
  if (url.startsWith('sqlite:')) return openSqlite(url, settings);
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, settings);
  // Not repeated in the message: it may carry a password.
  throw new Error('The database URL begins neither with "sqlite:" nor with "postgres://".');
}

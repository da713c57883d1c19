import type { Database, DatabaseOptions } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { openPostgres } from './postgres/postgres-database.ts';
import { openSqlite } from './sqlite/sqlite-database.ts';
import { withWriteProbe } from './write-probe.ts';

/**
 * Opens the store and applies pending migrations.
 *
 * @param url `sqlite:./data/service.db`, or `postgres://user:password@host/database`.
 * @throws Error if the engine does not confirm the required durability, the file is damaged or in use, or the schema is newer
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const settings = { migrations: MIGRATIONS, ...options };
  if (url.startsWith('sqlite:')) return withWriteProbe(await openSqlite(url, settings));
  if (/^postgres(ql)?:\/\//.test(url)) return withWriteProbe(await openPostgres(url, settings));
  // The message does not repeat the URL: it may contain a password.
  throw new Error('The database URL must begin with "sqlite:" or "postgres://".');
}

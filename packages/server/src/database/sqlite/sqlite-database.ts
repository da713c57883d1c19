import { SqliteError, type Database as SqliteHandle } from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { BatchTexts } from '../batch.ts';
import type { Database, DatabaseLog, DatabaseOptions, Queries, ThreadDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import type { Migration } from '../migration.ts';
import { afterCommit, runToEnd } from '../run-to-end.ts';
import type { Tables } from '../tables/index.ts';
import {
  checkpoint,
  leaveWaitingToDriver,
  makePrivateDirectory,
  makePrivateFile,
  openReader,
  openWriter,
  toSqlitePath,
  wasLeftOpen,
} from './sqlite-connection.ts';
import { SqliteDriver, sqliteDialect } from './sqlite-driver.ts';
import { claimDatabaseFile } from './sqlite-lock.ts';
import { watchPresence } from './sqlite-presence.ts';
import { createSqliteQueries, createSqliteReadQueries } from './sqlite-queries.ts';
import { measureSize } from './sqlite-size.ts';
import { assumeLargeTenants } from './sqlite-statistics.ts';

/** How long one connection may hold the main thread. */
const TURN_MS = 5;

interface SqliteOptions extends DatabaseOptions {
  readonly migrations: readonly Migration[];
}

/** Opens a file with one connection that writes and one that reads, so that no read waits for a transaction. */
export async function openSqlite(
  url: string,
  options: SqliteOptions,
): Promise<Omit<Database, 'assertWritable'>> {
  const path = toSqlitePath(url);
  let release: () => void = () => undefined;
  try {
    makePrivateDirectory(path);
    if (options.exclusive !== false) release = claimDatabaseFile(path);
    return await openClaimed(path, options, release);
  } catch (error) {
    release();
    throw isOfTheFile(error) ? new Error(`The store ${path} cannot be opened.`, { cause: error }) : error;
  }
}

/** Whether the file system or SQLite raised the error: their messages do not name the store. */
function isOfTheFile(error: unknown): boolean {
  return error instanceof SqliteError || (error instanceof Error && 'syscall' in error);
}

async function openClaimed(path: string, options: SqliteOptions, release: () => void) {
  const isSuspect = options.exclusive !== false && wasLeftOpen(path);
  makePrivateFile(path);
  const handle = openWriter(path);
  const writer = new SqliteDriver(handle, { begin: 'begin immediate', turnMs: TURN_MS });
  const db = new Kysely<Tables>({ dialect: sqliteDialect(writer) });
  const texts: BatchTexts = new Map();
  try {
    if (isSuspect) checkAfterUncleanStop(handle, path, options.logger);
    await migrate(db, { ...options, engine: 'sqlite' });
    assumeLargeTenants(handle);
    leaveWaitingToDriver(handle);
    const reader = new SqliteDriver(openReader(path), { begin: 'begin', turnMs: TURN_MS });
    const readDb = new Kysely<Tables>({ dialect: sqliteDialect(reader) });
    let inTurn = 0;
    const assertPresent = watchPresence(path, options.logger);
    return {
      engine: 'sqlite' as const,
      read: createSqliteReadQueries(readDb),
      async transaction<R>(work: (tx: Queries) => Promise<R>) {
        assertPresent();
        return transact(db, texts, work);
      },
      async inTurn<R>(work: () => Promise<R>) {
        // Calls may overlap: the other thread has one connection, so its transactions run one after the other.
        if (inTurn === 0 || writer.waiting() > 0) await writer.acquireConnection();
        inTurn += 1;
        try {
          assertPresent();
          return await work();
        } finally {
          inTurn -= 1;
          if (inTurn === 0) await writer.releaseConnection();
        }
      },
      async ping() {
        assertPresent();
        await readDb.selectFrom('schema_migrations').select('name').limit(1).execute();
      },
      connectionUse() {
        const drivers = [writer, reader];
        return {
          limit: drivers.length,
          inUse: drivers.filter((driver) => driver.isInUse()).length,
          waiting: writer.waiting() + reader.waiting(),
        };
      },
      measureSize: () => measureSize(path),
      async close() {
        await reader.close();
        await writer.close(() => checkpoint(handle));
        release();
      },
    };
  } catch (error) {
    handle.close();
    throw error;
  }
}

/** Opens a file in a thread that only writes. This process must already have opened it. */
export function openSqliteInThread(url: string): ThreadDatabase {
  const path = toSqlitePath(url);
  const handle = openWriter(path);
  leaveWaitingToDriver(handle);
  const writer = new SqliteDriver(handle, { begin: 'begin immediate', turnMs: Number.POSITIVE_INFINITY });
  const db = new Kysely<Tables>({ dialect: sqliteDialect(writer) });
  const texts: BatchTexts = new Map();
  return {
    engine: 'sqlite',
    read: createSqliteReadQueries(db),
    transaction: (work) => transact(db, texts, work),
    close: () => writer.close(),
  };
}

async function transact<R>(
  db: Kysely<Tables>,
  texts: BatchTexts,
  work: (tx: Queries) => Promise<R>,
): Promise<R> {
  const finished = await db
    .transaction()
    .execute((tx) => runToEnd(work, (later) => createSqliteQueries(tx, { texts, ...later })));
  return afterCommit(finished, { engine: 'sqlite', transaction: (next) => transact(db, texts, next) });
}

/** A power cut can tear pages on a disk that ignores flushes. The check finds them before a query does. */
function checkAfterUncleanStop(handle: SqliteHandle, path: string, logger: DatabaseLog | undefined): void {
  const startedAt = performance.now();
  const verdict = handle.pragma('quick_check(1)', { simple: true });
  if (verdict !== 'ok') {
    throw new Error(`The database ${path} is damaged (${verdict}). Restore a backup.`);
  }
  const tookMs = Math.round(performance.now() - startedAt);
  logger?.warn({ path, tookMs }, 'database checked after an unclean stop: no damage');
}

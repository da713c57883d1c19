import { chmodSync } from 'node:fs';
import SqliteDatabase, { SqliteError } from 'better-sqlite3';

/**
 * Claims a database file for this process by holding the write lock of a second, tiny database beside it. The kernel drops
 * that lock however the process ends, so nothing is left to clear after `kill -9`; a file with a process id would need to
 * be judged, and in a container the dead and the new process often both have the id 1.
 *
 * @returns what gives the claim back.
 * @throws Error when another process, or this one, holds it.
 */
export function claimDatabaseFile(path: string): () => void {
  const lockPath = `${path}.lock`;
  const lock = new SqliteDatabase(lockPath, { timeout: 0 });
  try {
    chmodSync(lockPath, 0o600);
    recordHolder(lock);
    lock.exec('begin immediate');
  } catch (error) {
    const holder = isBusy(error) ? lock.pragma('user_version', { simple: true }) : undefined;
    lock.close();
    if (holder === undefined) throw error;
    throw new Error(
      `The database ${path} is in use by a running service (process ${holder}). Stop it first.`,
    );
  }
  return () => lock.close();
}

/** Leaves the process id where a refused process can read it. A full disk must not keep the service from starting. */
function recordHolder(lock: SqliteDatabase.Database): void {
  try {
    lock.pragma(`user_version = ${process.pid}`);
  } catch (error) {
    if (isBusy(error)) throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY');
}

import { chmodSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import { isBusy } from './sqlite-failures.ts';

/**
 * Claims a database file for this process by holding the write lock of a second, tiny database beside it. The kernel drops
 * that lock when the process ends for any reason, so nothing remains after `kill -9`. A file with a process id could not
 * be trusted: in a container, the dead and the new process often both have the id 1.
 *
 * @returns a function that releases the claim
 * @throws Error if another process, or this one, holds the claim
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

/** Writes the process id where a rejected process can read it. A full disk must not keep the service from starting. */
function recordHolder(lock: SqliteDatabase.Database): void {
  try {
    lock.pragma(`user_version = ${process.pid}`);
  } catch (error) {
    if (isBusy(error)) throw error;
  }
}

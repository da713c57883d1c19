import { SqliteError } from 'better-sqlite3';
import { storeUnavailable } from '../store-unavailable.ts';

/** The disk is full, failing, missing or read-only, or another process holds the file. Extended codes begin with these. */
const STORE_IS_GONE = /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|BUSY)/;

/** Converts errors that mean "the store is full or gone" to `unavailable`; returns other errors unchanged. */
export function toSqliteFailure(error: unknown): unknown {
  return error instanceof SqliteError && STORE_IS_GONE.test(error.code) ? storeUnavailable(error) : error;
}

/** Whether another connection holds a lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  return error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY');
}

import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import SqliteDatabase, { type Database as SqliteHandle } from 'better-sqlite3';
import { isBusy } from './sqlite-failures.ts';

const BUSY_TIMEOUT_MS = 5000;
const BUSY_PAUSE_MS = 20;

/** Reads the path from `sqlite:./data/service.db` or `sqlite:///var/lib/service.db`. */
export function toSqlitePath(url: string): string {
  const path = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  if (path === '' || path.startsWith(':') || path.startsWith('file:')) {
    throw new Error('The database URL does not name a file. Example: sqlite:./data/service.db');
  }
  return resolve(path);
}

/** Creates the directory of the file if it does not exist, accessible to its owner only. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
}

/** Creates the file, accessible to its owner only. SQLite uses the same mode for its journal files. */
export function makePrivateFile(path: string): void {
  // An existing file is not opened: closing it again would drop every lock this process holds on it (fcntl(2)).
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  chmodSync(path, 0o600);
}

/** Returns whether the last process failed to close the file: a clean close removes the write-ahead log. */
export function wasLeftOpen(path: string): boolean {
  return existsSync(`${path}-wal`);
}

/** @param pause waits while another process writes to a new file; blocks this thread */
export function openWriter(path: string, pause: () => void = blockThread): SqliteHandle {
  const handle = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS });
  return configured(handle, () => {
    // Takes effect for a new file only, and before its journal mode. An event row of 1.2 KB does not fit a page of 4 KB
    // (a row keeps at most 1 KB there): with 8 KB, bare inserts of events and alerts rose from 41,000 to 50,000 a second.
    handle.pragma('page_size = 8192');
    startWriteAheadLog(handle, pause);
    expectPragma(handle, 'journal_mode', 'wal');
    // 16 MB between checkpoints instead of 4 MB: each checkpoint costs two flushes. The log shrinks after a long read.
    handle.pragma('wal_autocheckpoint = 2000');
    handle.pragma('journal_size_limit = 67108864');
    // What is deleted is overwritten, so that the file does not keep what a person had deleted.
    handle.pragma('secure_delete = on');
    expectPragma(handle, 'secure_delete', 1);
    handle.pragma('foreign_keys = on');
    expectPragma(handle, 'foreign_keys', 1);
  });
}

export function openReader(path: string): SqliteHandle {
  const handle = new SqliteDatabase(path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  return configured(handle, () => undefined);
}

function configured(handle: SqliteHandle, configure: () => void): SqliteHandle {
  try {
    configure();
    // better-sqlite3 defaults to NORMAL under WAL, where a power cut loses acknowledged commits.
    handle.pragma('synchronous = full');
    expectPragma(handle, 'synchronous', 2);
    handle.pragma('cache_size = -32000');
    return handle;
  } catch (error) {
    handle.close();
    throw error;
  }
}

/**
 * Two processes can create a file together. The journal mode of a file changes while no other process writes, and SQLite
 * fails at once where it waits for other locks (`PRAGMA journal_mode` does not call the busy handler).
 */
function startWriteAheadLog(handle: SqliteHandle, pause: () => void): void {
  const endsAt = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      handle.pragma('journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > endsAt) throw error;
      pause();
    }
  }
}

function blockThread(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_PAUSE_MS);
}

/** After this call the driver waits for the lock of the file. SQLite would stop the event loop while it waits. */
export function leaveWaitingToDriver(handle: SqliteHandle): void {
  handle.pragma('busy_timeout = 0');
}

/** Empties the write-ahead log, waiting for other connections. */
export function checkpoint(handle: SqliteHandle): void {
  handle.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  handle.pragma('wal_checkpoint(truncate)');
}

/** @throws Error if SQLite did not accept a setting that durability or correctness depend on */
export function expectPragma(handle: SqliteHandle, name: string, expected: string | number): void {
  const actual = handle.pragma(name, { simple: true });
  if (actual !== expected) throw new Error(`SQLite has ${name} = ${actual} where ${expected} is required.`);
}

import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import SqliteDatabase, { type Database as SqliteHandle } from 'better-sqlite3';

const BUSY_TIMEOUT_MS = 5000;

/** Reads the path from `sqlite:./data/service.db` or `sqlite:///var/lib/service.db`. */
export function toSqlitePath(url: string): string {
  const path = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  if (path === '' || path.startsWith(':') || path.startsWith('file:')) {
    throw new Error('The database URL names no file. Example: sqlite:./data/service.db');
  }
  return resolve(path);
}

/** Makes the directory of the file, where it does not exist, for its owner alone. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
}

/** Makes the file for its owner alone. SQLite gives the journal files beside it the same mode. */
export function makePrivateFile(path: string): void {
  // An existing file is not opened: closing it again would drop every lock this process holds on it (fcntl(2)).
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  chmodSync(path, 0o600);
}

/** Tells whether the last process did not close the file: the last to close removes the write-ahead log. */
export function wasLeftOpen(path: string): boolean {
  return existsSync(`${path}-wal`);
}

export function openWriter(path: string): SqliteHandle {
  const handle = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS });
  return configured(handle, () => {
    expectPragma(handle, 'journal_mode', 'wal');
    // 16 MB between checkpoints instead of 4: each one costs two more flushes. After a long read the log shrinks again.
    handle.pragma('wal_autocheckpoint = 2000');
    handle.pragma('journal_size_limit = 67108864');
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
    // Of a new file, and only before its journal. An event row of 1.2 KB spills out of a page of 4 KB (the most that a row
    // keeps there is 1 KB): bare inserts of events and alerts went from 41 000 to 50 000 a second with twice the size.
    if (!handle.readonly) handle.pragma('page_size = 8192');
    if (!handle.readonly) handle.pragma('journal_mode = wal');
    configure();
    // better-sqlite3 is built to fall back to NORMAL under WAL, where a power cut loses commits that were acknowledged.
    handle.pragma('synchronous = full');
    expectPragma(handle, 'synchronous', 2);
    handle.pragma('cache_size = -32000');
    return handle;
  } catch (error) {
    handle.close();
    throw error;
  }
}

/** @throws Error when SQLite did not take a setting on which durability or correctness rest. */
export function expectPragma(handle: SqliteHandle, name: string, expected: string | number): void {
  const actual = handle.pragma(name, { simple: true });
  if (actual !== expected) throw new Error(`SQLite has ${name} = ${actual} where ${expected} is required.`);
}

import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase, { SqliteError } from 'better-sqlite3';
import { flushToDisk } from './flush-to-disk.ts';
import { makePrivateDirectory, toSqlitePath } from './sqlite-connection.ts';
import { claimDatabaseFile } from './sqlite-lock.ts';

const LOG_FILES = ['-wal', '-shm'];
/** What SQLite says of a file that no log can be worked into. */
const IS_DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
/** What file systems without hard links, or with too few, say. */
const CANNOT_LINK: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Keeps every service away from the SQLite store of a URL, as a running service does.
 * @returns the path of its file, and what gives the claim back
 * @throws Error when a service is running on it
 */
export function claimSqliteStore(url: string): { path: string; release: () => void } {
  const path = toSqlitePath(url);
  makePrivateDirectory(path);
  return { path, release: claimDatabaseFile(path) };
}

/**
 * Puts a finished file in the place of the store's. A file that is there is kept under the other name. However this ends, the
 * store's name stands for the old store or for the new one, whole. The caller has claimed the store.
 *
 * @throws Error when another process has the old store open
 */
export function replaceSqliteStore(path: string, parts: { replacement: string; keepAs: string }): void {
  const { replacement, keepAs } = parts;
  if (existsSync(path)) {
    closeLog(path);
    addName(path, keepAs);
    for (const ending of LOG_FILES) {
      if (existsSync(path + ending)) addName(path + ending, keepAs + ending);
    }
    flushToDisk(dirname(path));
  }
  // A log beside a file that it does not belong to would be worked into it. Here is one only of a store that is damaged anyway.
  for (const ending of LOG_FILES) rmSync(path + ending, { force: true });
  flushToDisk(dirname(path));
  renameSync(replacement, path);
  flushToDisk(dirname(path));
}

/** Works the log of an unclean stop into the file and removes it, so that the store is one file, which can be replaced in one step. */
function closeLog(path: string): void {
  try {
    const handle = new SqliteDatabase(path, { fileMustExist: true, timeout: 0 });
    try {
      // The log is opened with the first read.
      handle.pragma('schema_version');
      handle.pragma('wal_checkpoint(truncate)');
    } finally {
      handle.close();
    }
  } catch (error) {
    if (error instanceof SqliteError && IS_DAMAGED.test(error.code)) return;
    throw error;
  }
  // The last to close a file removes its log.
  if (existsSync(`${path}-wal`))
    throw new Error(`Another process has ${path} open. Wait until it has ended.`);
}

function addName(path: string, name: string): void {
  try {
    linkSync(path, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && CANNOT_LINK.has(error.code))) throw error;
    copyFileSync(path, name, constants.COPYFILE_EXCL);
    flushToDisk(name);
  }
}

import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase, { SqliteError } from 'better-sqlite3';
import { flushToDisk } from './flush-to-disk.ts';
import { makePrivateDirectory, toSqlitePath } from './sqlite-connection.ts';
import { claimDatabaseFile } from './sqlite-lock.ts';

const LOG_FILES = ['-wal', '-shm'];
/** SQLite's errors for a file whose log cannot be checkpointed. */
const IS_DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
/** The errors of file systems without hard links, or with too few of them. */
const CANNOT_LINK: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Claims the SQLite store of a URL, as a running service does, so that no service can open it.
 * @returns the path of its file, and a function that releases the claim
 * @throws Error if a service is running on it
 */
export function claimSqliteStore(url: string): { path: string; release: () => void } {
  const path = toSqlitePath(url);
  makePrivateDirectory(path);
  return { path, release: claimDatabaseFile(path) };
}

/**
 * Replaces the store's file with a finished one and keeps the old file under another name. After a crash at any moment,
 * the store's name refers to the whole old store or the whole new one. The caller must have claimed the store.
 *
 * @throws Error if another process has the old store open
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
  // SQLite would apply a log to a file that it does not belong to. A log exists here only if the old store is damaged.
  for (const ending of LOG_FILES) rmSync(path + ending, { force: true });
  flushToDisk(dirname(path));
  renameSync(replacement, path);
  flushToDisk(dirname(path));
}

/** Checkpoints and removes the log of an unclean stop, so that the store is one file that one rename can replace. */
function closeLog(path: string): void {
  try {
    const handle = new SqliteDatabase(path, { fileMustExist: true, timeout: 0 });
    try {
      // The first read opens the log.
      handle.pragma('schema_version');
      handle.pragma('wal_checkpoint(truncate)');
    } finally {
      handle.close();
    }
  } catch (error) {
    if (error instanceof SqliteError && IS_DAMAGED.test(error.code)) return;
    throw error;
  }
  // The last connection to close removes the log.
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

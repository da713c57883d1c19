import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase, { SqliteError, type Database as SqliteHandle } from 'better-sqlite3';
import { openReader } from './sqlite-connection.ts';

const BUSY_TIMEOUT_MS = 5000;
const MAGIC = 'SQLite format 3\0';
/** Offset of the write version in the header; 2 means a write-ahead log (https://sqlite.org/fileformat2.html#file_format_version_numbers). */
const WRITE_VERSION_AT = 18;
const WITH_LOG = 2;
/** The most problems that are reported. */
const MAX_FINDINGS = 20;

/**
 * Opens a file read-only.
 * @throws Error if the file does not exist or is not an SQLite database
 */
export function openSqliteToRead(path: string): SqliteHandle {
  const header = readHeader(path);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw new Error(`${path} is not an SQLite database.`);
  // A read-only connection that closes the file last would leave the log behind, and the next start of the service would
  // take that for an unclean stop.
  if (header[WRITE_VERSION_AT] !== WITH_LOG) return openReader(path);
  const handle = new SqliteDatabase(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  handle.pragma('query_only = on');
  return handle;
}

/** Lists the damage that SQLite finds in a file: pages, indexes, references. */
export function findDamage(handle: SqliteHandle): string[] {
  try {
    if (isCutShort(handle)) return ['the file is truncated'];
    const verdicts = handle.pragma(`integrity_check(${MAX_FINDINGS})`) as { integrity_check: string }[];
    const damage = verdicts.map((row) => row.integrity_check).filter((verdict) => verdict !== 'ok');
    const dangling = handle.pragma('foreign_key_check') as { table: string; parent: string }[];
    const references = dangling.map(({ table, parent }) => `a row of ${table} refers to none of ${parent}`);
    return [...damage, ...references].slice(0, MAX_FINDINGS);
  } catch (error) {
    // Some damage keeps SQLite from checking further.
    if (error instanceof SqliteError) return [error.message];
    throw error;
  }
}

/** SQLite writes its journal beside the file, so the directory must be writable too. */
export function findWriteObstacle(path: string): string | undefined {
  for (const place of [path, dirname(path)]) {
    try {
      accessSync(place, constants.W_OK);
    } catch (error) {
      return `${place} cannot be written to (${(error as NodeJS.ErrnoException).code})`;
    }
  }
  return undefined;
}

/** What is missing of the last page SQLite reads as zeros, and says nothing. With a log, pages may not yet be in the file. */
function isCutShort(handle: SqliteHandle): boolean {
  const [mode, size, count] = ['journal_mode', 'page_size', 'page_count'].map((name) =>
    handle.pragma(name, { simple: true }),
  );
  return mode !== 'wal' && statSync(handle.name).size < Number(size) * Number(count);
}

function readHeader(path: string): Buffer {
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
    return header;
  } finally {
    closeSync(file);
  }
}

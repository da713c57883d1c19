/** Codes of SQLite and the system for a full disk. */
const IS_FULL = /^(SQLITE_FULL|ENOSPC|EDQUOT)/;
/** Includes exceeding a limit on file sizes. */
const IS_FAILING = /^(SQLITE_IOERR|EIO|EFBIG)/;
const IS_FORBIDDEN = /^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN)/;

/** Returns an error that explains a known failure of the file system; returns others unchanged. */
export function explainFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (IS_FULL.test(code))
    return new Error(`The disk is full: ${path} could not be written. Nothing was changed.`, {
      cause: error,
    });
  if (IS_FAILING.test(code))
    return new Error(`Reading or writing failed while creating ${path}. Nothing was changed.`, {
      cause: error,
    });
  if (IS_FORBIDDEN.test(code))
    return new Error(`${path} cannot be written: check its permissions. Nothing was changed.`, {
      cause: error,
    });
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new Error(`The folder of ${path} does not exist. Nothing was changed.`, { cause: error });
  return error;
}

/** What SQLite, or the system, says of a disk without room. */
const IS_FULL = /^(SQLITE_FULL|ENOSPC|EDQUOT)/;
/** Also a limit on the size of files. */
const IS_FAILING = /^(SQLITE_IOERR|EIO|EFBIG)/;
const IS_FORBIDDEN = /^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN)/;

/** Says of a failure what to do about it, where that is known. */
export function explainFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (IS_FULL.test(code))
    return new Error(`The disk has no room for ${path}. Nothing was changed.`, { cause: error });
  if (IS_FAILING.test(code))
    return new Error(`Reading or writing failed on the way to ${path}. Nothing was changed.`, {
      cause: error,
    });
  if (IS_FORBIDDEN.test(code))
    return new Error(`${path} cannot be written. Nothing was changed.`, { cause: error });
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new Error(`The folder of ${path} does not exist. Nothing was changed.`, { cause: error });
  return error;
}

import { StorageError, type StorageErrorCode } from '../../ports/storage.ts';

const CODES: Readonly<Record<string, StorageErrorCode>> = {
  ENOENT: 'missing',
  EEXIST: 'exists',
  ENOSPC: 'full',
  EDQUOT: 'full',
  // The largest size of a file that the process may write: no more room, whatever the reason.
  EFBIG: 'full',
  EROFS: 'read_only',
  EACCES: 'read_only',
  EPERM: 'read_only',
};

/** Node's own errors are called `ERR_…`: those tell of a fault in the program. */
const FROM_SYSTEM = /^E[A-Z0-9]+$/;

/** Runs file operations and turns what the operating system says into a StorageError. */
export async function asStorageErrors<Result>(what: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof StorageError || code === undefined || !FROM_SYSTEM.test(code)) {
      throw error;
    }
    throw new StorageError(CODES[code] ?? 'failed', `${what}: ${code}`, { cause: error });
  }
}

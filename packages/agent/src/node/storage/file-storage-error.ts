import { StorageError, type StorageErrorCode } from '../../ports/storage.ts';

const CODES: Readonly<Record<string, StorageErrorCode>> = {
  ENOENT: 'missing',
  EEXIST: 'exists',
  ENOSPC: 'full',
  EDQUOT: 'full',
  // The process has reached its file size limit, which has the same effect as a full disk.
  EFBIG: 'full',
  EROFS: 'read_only',
  EACCES: 'read_only',
  EPERM: 'read_only',
};

/** Node's own errors are named `ERR_…` and mean a bug in the program. */
const FROM_SYSTEM = /^E[A-Z0-9]+$/;

/** Runs file operations and maps errors of the operating system to a StorageError. */
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

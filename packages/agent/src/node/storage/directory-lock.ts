import { readdir, readFile, readlink, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../../ports/storage.ts';

/** Releases the directory. */
export type ReleaseLock = () => Promise<void>;

const LOCK_NAME = /^lock-(\d{1,15})$/;

/**
 * Locks a directory for this process. The lock of a dead process is taken over.
 *
 * A lock is a symbolic link whose target names the holder: the system creates it with its content in one step, even on a
 * full disk. A lock that takes over another has the next number, and only one process can create the link of that number.
 * If several processes find a dead holder's lock at once, exactly one gets the directory.
 *
 * @throws StorageError `in_use` while a live process holds it
 */
export async function lockDirectory(directory: string): Promise<ReleaseLock> {
  for (;;) {
    const before = await locksIn(directory);
    const newest = before.at(-1) ?? 0;
    if (newest > 0) {
      await assertHolderIsGone(directory, newest);
    }
    const mine = newest + 1;
    if (!(await makeLink(directory, mine))) {
      continue;
    }
    const after = await locksIn(directory);
    if (after.at(-1) !== mine) {
      // Another process took over from the same dead holder first.
      await unlink(pathOf(directory, mine)).catch(ignoreMissing);
      continue;
    }
    for (const number of after.filter((each) => each < mine)) {
      await unlink(pathOf(directory, number)).catch(ignoreMissing);
    }
    return () => unlink(pathOf(directory, mine)).catch(ignoreMissing);
  }
}

/** Whether a file is a lock. */
export function isLock(name: string): boolean {
  return LOCK_NAME.test(name);
}

async function locksIn(directory: string): Promise<number[]> {
  const names = await readdir(directory);
  const numbers = names.flatMap((name) => Number(LOCK_NAME.exec(name)?.[1] ?? []));
  return numbers.filter((number) => number > 0).sort((one, other) => one - other);
}

function pathOf(directory: string, number: number): string {
  return join(directory, `lock-${number}`);
}

async function makeLink(directory: string, number: number): Promise<boolean> {
  try {
    await symlink(`${process.pid}.${await startedAt('self')}`, pathOf(directory, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

async function assertHolderIsGone(directory: string, number: number): Promise<void> {
  let holder: string;
  try {
    holder = await readlink(pathOf(directory, number));
  } catch (error) {
    return ignoreMissing(error);
  }
  const [pid = '', since = ''] = holder.split('.');
  if (isAlive(Number(pid)) && (since === '' || since === (await startedAt(pid)))) {
    throw new StorageError('in_use', `${directory} is in use by process ${pid}`);
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Returns when a process started, on Linux: boot id and clock ticks since boot. It distinguishes a later process with the
 * same pid. On other systems it is empty, and the pid alone counts.
 */
async function startedAt(pid: string): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    // The name in parentheses may contain spaces; the start time is the 20th value after it (proc(5)).
    const [state, ...values] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; its parent has not reaped it yet.
    return state === 'Z' ? 'dead' : `${bootId.slice(0, 8)}-${values[18]}`;
  } catch {
    return '';
  }
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
    throw error;
  }
}

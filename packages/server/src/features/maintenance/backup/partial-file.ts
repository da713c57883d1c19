import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const MARK = '.partial-';
const PARTIAL = /\.partial-[0-9a-f]{16}(-journal|-wal|-shm)?$/;
/** Longer than any backup takes. */
export const SURELY_STALE_MS = 86_400_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Whether a file name is that of an unfinished backup or restore. */
export function isPartial(path: string): boolean {
  return PARTIAL.test(basename(path));
}

/** Removes unfinished files that killed runs left beside this target, if they were not modified for this time. */
export function removeStale(target: string, { untouchedMs }: { untouchedMs: number }): string[] {
  const ours = `${basename(target)}${MARK}`;
  const stale = readdirSync(dirname(target))
    .filter((name) => name.startsWith(ours) && isPartial(name))
    .map((name) => join(dirname(target), name))
    .filter((path) => isUntouched(path, untouchedMs));
  for (const path of stale) rmSync(path, { force: true });
  return stale;
}

function isUntouched(path: string, forMs: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs <= Date.now() - forMs;
}

/**
 * Creates an empty file beside the target, readable by its owner only, and passes it to the work, which renames it when
 * it is complete. If the work fails or a signal interrupts it, the file is removed.
 */
export async function withPartial<Result>(
  target: string,
  work: (partial: string) => Promise<Result>,
): Promise<Result> {
  const partial = `${target}${MARK}${randomBytes(8).toString('hex')}`;
  const remove = () => {
    for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(partial + ending, { force: true });
  };
  const end = (signal: NodeJS.Signals) => {
    remove();
    // Without a listener, a signal ends the process at once; `process.exit` would wait for the copying thread.
    for (const name of SIGNALS) process.off(name, end);
    process.kill(process.pid, signal);
  };
  for (const name of SIGNALS) process.once(name, end);
  try {
    closeSync(openSync(partial, 'wx', 0o600));
    return await work(partial);
  } finally {
    for (const name of SIGNALS) process.off(name, end);
    remove();
  }
}

import { statSync } from 'node:fs';
import type { DatabaseLog } from '../database.ts';
import { storeUnavailable } from '../store-unavailable.ts';

/**
 * Remembers which files are open, and returns a check that they are still at their paths. SQLite writes to a file that
 * was moved or removed as if nothing had happened, and the next start would not find what was written. The check takes
 * two calls of stat(2), about 4 µs.
 *
 * @returns a function that throws `unavailable` while a file is elsewhere
 */
export function watchPresence(path: string, logger: DatabaseLog | undefined): () => void {
  // The log exists as long as a connection is open.
  const files = [path, `${path}-wal`];
  const opened = files.map(identify);
  let isPresent = true;
  return () => {
    const missing = files.filter((file, index) => identify(file) !== opened[index]);
    if (missing.length === 0) {
      if (!isPresent) logger?.info({ path }, 'store file is back: writes are accepted again');
      isPresent = true;
      return;
    }
    if (isPresent) {
      logger?.warn(
        { missing },
        'store file moved or replaced: writes are refused until it is back or a restart',
      );
    }
    isPresent = false;
    throw storeUnavailable(new Error(`The open file is no longer at ${missing.join(' and ')}.`));
  };
}

function identify(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until the content of a file, or the names in a directory, would survive a power cut. */
export function flushToDisk(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoreSize } from '../database.ts';

/** Returns the size of a store with its log, and the space on its disk that the service may use. */
export async function measureSize(path: string): Promise<StoreSize> {
  const [file, log, disk] = await Promise.all([
    stat(path),
    stat(`${path}-wal`).catch(() => undefined),
    statfs(dirname(path)),
  ]);
  return {
    bytes: file.size + (log?.size ?? 0),
    disk: { bytes: disk.blocks * disk.bsize, freeBytes: disk.bavail * disk.bsize },
  };
}

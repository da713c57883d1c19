import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { claimSqliteStore, flushToDisk, replaceSqliteStore } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Verification, verifyFile } from '../verify/verify-store.ts';
import { explainFailure } from './explain-failure.ts';
import type { Report } from './make-backup.ts';
import { isPartial, removeStale, withPartial } from './partial-file.ts';
import { reportGrowth } from './report-growth.ts';

export interface Restoration extends Pick<Verification, 'tenants' | 'events'> {
  readonly path: string;
  /** The new name of the previous store; undefined if there was none. */
  readonly keptAs: string | undefined;
}

/**
 * Replaces the SQLite store of a URL with a backup, while no service runs on it. The verified file is the very copy that
 * becomes the store. The previous store is kept under another name. The next start migrates the schema.
 *
 * @throws Error that explains why the backup cannot be restored, or what is wrong with it
 */
export async function restoreBackup(
  url: string,
  { file, force, report, clock }: { file: string; force: boolean; report: Report; clock: Clock },
): Promise<Restoration> {
  const backup = resolve(file);
  checkBackup(backup);
  const { path, release } = claimSqliteStore(url);
  try {
    const hasStore = existsSync(path);
    if (hasStore && !force)
      throw new Error(
        `A store already exists at ${path}. Add --force to replace it; it is kept under another name.`,
      );
    if (hasStore && isSameFile(backup, path)) throw new Error(`${backup} is the store itself.`);
    // The store is claimed, so no other restore is running: all unfinished files are leftovers.
    for (const stale of removeStale(path, { untouchedMs: 0 }))
      report(`removed an unfinished file of an interrupted restore: ${stale}`);
    return await withPartial(path, async (partial) => {
      const { tenants, events } = await copyVerified(backup, { partial, report, clock });
      const keepAs = `${path}.before-restore-${toCompactTime(clock.now())}`;
      replaceSqliteStore(path, { replacement: partial, keepAs });
      return { path, tenants, events, keptAs: hasStore ? keepAs : undefined };
    });
  } catch (error) {
    throw explainFailure(error, path);
  } finally {
    release();
  }
}

/** @throws Error if the file cannot be a complete backup */
function checkBackup(backup: string): void {
  if (!statSync(backup, { throwIfNoEntry: false })?.isFile()) throw new Error(`There is no file ${backup}.`);
  if (isPartial(backup))
    throw new Error(`${backup} is an unfinished file of an interrupted backup or restore.`);
  const log = statSync(`${backup}-wal`, { throwIfNoEntry: false });
  if (log && log.size > 0) {
    throw new Error(
      `${basename(backup)} has a write-ahead log (${basename(backup)}-wal), so it is a store, not a backup. Use "backup" to create one.`,
    );
  }
}

async function copyVerified(
  backup: string,
  { partial, report, clock }: { partial: string; report: Report; clock: Clock },
): Promise<Verification> {
  const stopReporting = reportGrowth(partial, { expectedBytes: statSync(backup).size, report });
  await pipeline(createReadStream(backup), createWriteStream(partial)).finally(stopReporting);
  flushToDisk(partial);
  const verification = await verifyFile(partial, { clock, isQuick: true }).catch((error: unknown) => {
    throw new Error(`${backup} is not a readable backup. Nothing was changed.`, { cause: error });
  });
  const { problems } = verification;
  if (problems.length > 0) {
    const lines = problems.map((problem) => `  - ${problem}`).join('\n');
    throw new Error(`Nothing was changed, because ${backup} is damaged:\n${lines}`);
  }
  return verification;
}

function isSameFile(a: string, b: string): boolean {
  const [left, right] = [statSync(a), statSync(b)];
  return left.dev === right.dev && left.ino === right.ino;
}

/** Returns `20260102T030405678Z`: sorts by time and is a valid file name on every system. */
function toCompactTime(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:.]/g, '');
}

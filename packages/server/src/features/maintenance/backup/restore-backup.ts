import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { claimSqliteStore, flushToDisk, replaceSqliteStore } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { explainFailure } from './backup-failure.ts';
import type { Report } from './make-backup.ts';
import { isPartial, removeStale, withPartial } from './partial-file.ts';
import { reportGrowth } from './report-growth.ts';
import { type Verification, verifyFile } from './verify-store.ts';

export interface Restoration extends Pick<Verification, 'tenants' | 'events'> {
  readonly path: string;
  /** Where the store before is now; undefined when there was none. */
  readonly keptAs: string | undefined;
}

/**
 * Puts a backup in the place of the SQLite store of a URL, when no service runs on it. What is verified is the copy that
 * becomes the store. A store that is there is kept under another name. The next start brings the schema up to date.
 *
 * @throws Error that says what stands in the way, or what is wrong with the backup
 */
export async function restoreBackup(
  url: string,
  { file, force, report, clock }: { file: string; force: boolean; report: Report; clock: Clock },
): Promise<Restoration> {
  const backup = resolve(file);
  checkBackup(backup);
  const { path, release } = claimSqliteStore(url);
  try {
    const isThere = existsSync(path);
    if (isThere && !force)
      throw new Error(`There is a store at ${path} already. Add --force; it is kept under another name.`);
    if (isThere && isSameFile(backup, path)) throw new Error(`${backup} is the store itself.`);
    // Whoever made them is no more: the store is claimed.
    for (const left of removeStale(path, { untouchedMs: 0 }))
      report(`removed what an interrupted restore left: ${left}`);
    return await withPartial(path, async (partial) => {
      const { tenants, events } = await copyVerified(backup, { partial, report, clock });
      const keepAs = `${path}.before-restore-${toCompactTime(clock.now())}`;
      replaceSqliteStore(path, { replacement: partial, keepAs });
      return { path, tenants, events, keptAs: isThere ? keepAs : undefined };
    });
  } catch (error) {
    throw explainFailure(error, path);
  } finally {
    release();
  }
}

/** @throws Error when this cannot be a whole backup */
function checkBackup(backup: string): void {
  if (!statSync(backup, { throwIfNoEntry: false })?.isFile()) throw new Error(`There is no file ${backup}.`);
  if (isPartial(backup)) throw new Error(`${backup} is what an interrupted backup left, and not whole.`);
  const log = statSync(`${backup}-wal`, { throwIfNoEntry: false });
  if (log && log.size > 0) {
    throw new Error(
      `${basename(backup)} has a log beside it (${basename(backup)}-wal): it is a store, not a backup. Make one with the command backup.`,
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
  const verification = await verifyFile(partial, clock).catch((error: unknown) => {
    throw new Error(`${backup} is no backup that can be read. Nothing was changed.`, { cause: error });
  });
  const { problems } = verification;
  if (problems.length > 0) {
    const lines = problems.map((problem) => `  - ${problem}`).join('\n');
    throw new Error(`${backup} is damaged, and nothing was changed:\n${lines}`);
  }
  return verification;
}

function isSameFile(a: string, b: string): boolean {
  const [left, right] = [statSync(a), statSync(b)];
  return left.dev === right.dev && left.ino === right.ino;
}

/** `20260102T030405678Z`: sorts by time, and is a file name everywhere. */
function toCompactTime(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:.]/g, '');
}

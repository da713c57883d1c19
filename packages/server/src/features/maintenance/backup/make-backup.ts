import { createHash } from 'node:crypto';
import { createReadStream, existsSync, lstatSync, realpathSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { flushToDisk, toSqlitePath, writeSqliteSnapshot } from '../../../database/index.ts';
import { explainFailure } from './backup-failure.ts';
import { isPartial, removeStale, SURELY_STALE_MS, withPartial } from './partial-file.ts';
import { formatBytes, reportGrowth } from './report-growth.ts';
import { type Verification, verifyFile } from './verify-store.ts';

/** Files that belong to a store beside the one of its name. */
const STORE_FILES = ['', '-wal', '-shm', '-journal', '.lock'];

/** Says to a person how far the work has come. */
export type Report = (line: string) => void;

export interface Backup extends Pick<Verification, 'tenants' | 'events'> {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * Writes a verified copy of the SQLite store of a URL, while a service may be running on it. Whatever has been committed
 * before the call is in it. Until the copy is proved sound it has another name, and what had the target's stays.
 *
 * @throws Error that says what stands in the way, or what is wrong with the store
 */
export async function makeBackup(
  url: string,
  { file, force, report }: { file: string; force: boolean; report: Report },
): Promise<Backup> {
  const source = toSqlitePath(url);
  const target = resolve(file);
  if (!existsSync(source)) throw new Error(`There is no store at ${source}.`);
  try {
    checkTarget(target, { source, force });
    for (const path of removeStale(target, { untouchedMs: SURELY_STALE_MS }))
      report(`removed what an interrupted backup left: ${path}`);
    return await withPartial(target, (partial) => write({ source, partial, target, force, report }));
  } catch (error) {
    throw explainFailure(error, target);
  }
}

async function write(parts: {
  source: string;
  partial: string;
  target: string;
  force: boolean;
  report: Report;
}): Promise<Backup> {
  const { source, partial, target, force, report } = parts;
  const stopReporting = reportGrowth(partial, {
    expectedBytes: sizeOf(source) + sizeOf(`${source}-wal`),
    report,
  });
  await writeSqliteSnapshot({ source, target: partial }).finally(stopReporting);
  flushToDisk(partial);
  const bytes = sizeOf(partial);
  if (bytes > REPORTED_FROM_BYTES) report(`verifying ${formatBytes(bytes)}`);
  const { problems, tenants, events } = await verifyFile(partial);
  if (problems.length > 0)
    throw new Error(`The store is damaged, and no backup was made:\n${problems.map(toLine).join('\n')}`);
  const sha256 = await sha256Of(partial);
  checkTarget(target, { source, force });
  renameSync(partial, target);
  flushToDisk(dirname(target));
  return { path: target, bytes, tenants, events, sha256 };
}

/** From here on, reading it all takes a while. */
const REPORTED_FROM_BYTES = 256 * 1024 * 1024;

function toLine(problem: string): string {
  return `  - ${problem}`;
}

/** @throws Error when the target must not be written */
function checkTarget(target: string, { source, force }: { source: string; force: boolean }): void {
  if (isPartial(target)) throw new Error(`${target} has the name of an unfinished backup. Choose another.`);
  if (isOfStore(target, source)) throw new Error(`${target} is the store itself. Choose another file.`);
  const present = lstatSync(target, { throwIfNoEntry: false });
  if (present?.isDirectory()) throw new Error(`${target} is a folder. Name a file in it.`);
  if (present && !force) throw new Error(`${target} exists already. Choose another file, or add --force.`);
}

/** Whether a path means a file of the store, by whatever name: through a link, too. */
function isOfStore(target: string, source: string): boolean {
  const folder = statSync(dirname(target), { throwIfNoEntry: false })
    ? realpathSync(dirname(target))
    : dirname(target);
  const path = join(folder, basename(target));
  const stat = statSync(target, { throwIfNoEntry: false });
  return STORE_FILES.some((ending) => {
    const own = statSync(source + ending, { throwIfNoEntry: false });
    const isSame = stat !== undefined && own !== undefined && stat.dev === own.dev && stat.ino === own.ino;
    return isSame || path === realpathSync(source) + ending;
  });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function sha256Of(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}

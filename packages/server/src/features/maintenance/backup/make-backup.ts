import { createHash } from 'node:crypto';
import { createReadStream, existsSync, lstatSync, realpathSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { flushToDisk, toSqlitePath, writeSqliteSnapshot } from '../../../database/index.ts';
import { type Verification, verifyFile } from '../verify/verify-store.ts';
import { explainFailure } from './explain-failure.ts';
import { isPartial, removeStale, SURELY_STALE_MS, withPartial } from './partial-file.ts';
import { formatBytes, reportGrowth } from './report-growth.ts';

/** Suffixes of the files that make up a store. */
const STORE_FILES = ['', '-wal', '-shm', '-journal', '.lock'];

/** Prints progress. */
export type Report = (line: string) => void;

export interface Backup extends Pick<Verification, 'tenants' | 'events'> {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * Writes a verified copy of the SQLite store of a URL, even while a service runs on it. The copy contains everything that
 * was committed before the call. It has a temporary name until it is verified; until then, an existing target is kept.
 *
 * @throws Error that explains why the backup cannot be written, or what is wrong with the store
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
      report(`removed an unfinished file of an interrupted backup: ${path}`);
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
  const { problems, tenants, events } = await verifyFile(partial, { isQuick: true });
  if (problems.length > 0)
    throw new Error(`No backup was made, because the store is damaged:\n${problems.map(toLine).join('\n')}`);
  const sha256 = await sha256Of(partial);
  checkTarget(target, { source, force });
  renameSync(partial, target);
  flushToDisk(dirname(target));
  return { path: target, bytes, tenants, events, sha256 };
}

/** Reading a file of this size takes a while. */
const REPORTED_FROM_BYTES = 256 * 1024 * 1024;

function toLine(problem: string): string {
  return `  - ${problem}`;
}

/** @throws Error when the target must not be written */
function checkTarget(target: string, { source, force }: { source: string; force: boolean }): void {
  if (isPartial(target))
    throw new Error(`${target} has the name of an unfinished backup. Choose another name.`);
  if (isOfStore(target, source)) throw new Error(`${target} is the store itself. Choose another file.`);
  const present = lstatSync(target, { throwIfNoEntry: false });
  if (present?.isDirectory()) throw new Error(`${target} is a folder. Name a file in it.`);
  if (present && !force) throw new Error(`${target} already exists. Choose another file, or add --force.`);
}

/** Whether a path refers to a file of the store, also through a link. */
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

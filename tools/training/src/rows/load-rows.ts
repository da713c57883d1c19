import { fileURLToPath } from 'node:url';
import { logProgress, UsageError } from '../command-line.ts';
import { createDuplicateFilter } from './duplicates.ts';
import { readRows } from './read-rows.ts';
import type { Row } from './row.ts';

/**
 * The folder of this project's own check set: everyday texts, benign and scam, written without looking at the
 * training data. Models never learn from it; otherwise it would measure nothing.
 */
const EVERYDAY = fileURLToPath(new URL('../../data', import.meta.url));

/**
 * Reads every distinct row of the check set and then of a folder, if one is named, and logs the number of
 * invalid lines of each file. A row that is also in the check set counts as part of the check set, so that
 * models do not learn from it.
 * @throws UsageError when the folder contains no row
 */
export async function loadRows(folder?: string): Promise<Row[]> {
  const isFirst = createDuplicateFilter();
  const everyday = await loadFolder(EVERYDAY, isFirst);
  if (folder === undefined) return everyday;
  const rows = await loadFolder(folder, isFirst);
  if (rows.length === 0) {
    throw new UsageError(`${folder} contains no rows. --help describes the file format.`);
  }
  return [...everyday, ...rows];
}

async function loadFolder(folder: string, isFirst: (row: Row) => boolean): Promise<Row[]> {
  const skipped = new Map<string, number>();
  const countSkipped = (file: string) => void skipped.set(file, (skipped.get(file) ?? 0) + 1);
  const rows: Row[] = [];
  for await (const row of readRows(folder, countSkipped)) if (isFirst(row)) rows.push(row);
  for (const [file, lines] of skipped) logProgress(`${file}: skipped ${lines} invalid lines`);
  return rows;
}

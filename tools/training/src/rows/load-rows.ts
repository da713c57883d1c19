import { fileURLToPath } from 'node:url';
import { logProgress, UsageError } from '../command-line.ts';
import { createDuplicateFilter } from './duplicates.ts';
import { readRows } from './read-rows.ts';
import type { Row } from './row.ts';

/**
 * The folder of this project's own check set: texts of daily life, honest and not, written without a look at what models learn
 * from. Nothing is ever trained on it, or it would be worth nothing.
 */
const EVERYDAY = fileURLToPath(new URL('../../data', import.meta.url));

/**
 * Reads every distinct row of the check set and then of a folder, if one is named, and says of each file how many of its lines
 * were none. A row that the check set holds too counts as the check set's, so that nothing is learnt from it.
 * @throws UsageError when the folder holds no row at all
 */
export async function loadRows(folder?: string): Promise<Row[]> {
  const isFirst = createDuplicateFilter();
  const everyday = await loadFolder(EVERYDAY, isFirst);
  if (folder === undefined) return everyday;
  const rows = await loadFolder(folder, isFirst);
  if (rows.length === 0) {
    throw new UsageError(`${folder} holds no rows: see --help for the form of its files.`);
  }
  return [...everyday, ...rows];
}

async function loadFolder(folder: string, isFirst: (row: Row) => boolean): Promise<Row[]> {
  const skipped = new Map<string, number>();
  const note = (file: string) => void skipped.set(file, (skipped.get(file) ?? 0) + 1);
  const rows: Row[] = [];
  for await (const row of readRows(folder, note)) if (isFirst(row)) rows.push(row);
  for (const [file, lines] of skipped) logProgress(`${file}: ${lines} lines are no rows and are left out`);
  return rows;
}

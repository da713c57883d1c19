import { say, UsageError } from '../command-line.ts';
import { createDuplicateFilter } from './duplicates.ts';
import { readRows } from './read-rows.ts';
import type { Row } from './row.ts';

/**
 * Reads every distinct row of a folder, and says of each file how many of its lines were none.
 * @throws UsageError when there is no row at all
 */
export async function loadRows(folder: string): Promise<Row[]> {
  const isFirst = createDuplicateFilter();
  const skipped = new Map<string, number>();
  const note = (file: string) => void skipped.set(file, (skipped.get(file) ?? 0) + 1);
  const rows: Row[] = [];
  for await (const row of readRows(folder, note)) if (isFirst(row)) rows.push(row);
  for (const [file, lines] of skipped) say(`${file}: ${lines} lines are no rows and are left out`);
  if (rows.length === 0) {
    throw new UsageError(`${folder} holds no rows: see --help for the form of its files.`);
  }
  return rows;
}

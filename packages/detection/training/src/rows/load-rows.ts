import { createDuplicateFilter } from './duplicates.ts';
import { readRows } from './read-rows.ts';
import type { Row } from './row.ts';

/** Reads every distinct row of a folder. */
export async function loadRows(folder: string): Promise<Row[]> {
  const isFirst = createDuplicateFilter();
  const rows: Row[] = [];
  for await (const row of readRows(folder)) if (isFirst(row)) rows.push(row);
  return rows;
}

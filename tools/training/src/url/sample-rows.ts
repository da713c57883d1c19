import { fractionOf } from '../rows/split.ts';
import type { UrlRow } from './url-row.ts';

/** More rows of one source, label and year change no figure by a tenth of a per cent, but take time. */
export const MAX_PER_SOURCE = 10_000;
const SAMPLE_SEED = 23;

/** Samples very large sources by hash: the same rows return the same sample. */
export function sampleRows(rows: readonly UrlRow[]): UrlRow[] {
  const counts = new Map<string, number>();
  const keyOf = ({ source, threat, date }: UrlRow) => `${source} ${threat} ${date?.slice(0, 4) ?? ''}`;
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return rows.filter(
    (row) => fractionOf(row.content, SAMPLE_SEED) < MAX_PER_SOURCE / (counts.get(keyOf(row)) ?? 1),
  );
}

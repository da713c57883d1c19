import { duplicateKey } from '../rows/duplicates.ts';
import type { Row } from '../rows/row.ts';
import { fractionOf } from '../rows/split.ts';
import { SOURCES } from '../sources.ts';

/** For each source the share of texts that models may learn from; the rest, by key, is for testing. */
const LEARNED_SHARES: Readonly<Record<string, number>> = { uci: 0.7, nus: 0.7 };
const LEARNED_SHARE = 0.8;
const SPLIT_SEED = 7;

/** Returns whether models of any licence never learn from a row, so that it can measure them. */
export function isTextForTesting(row: Pick<Row, 'kind' | 'content' | 'source'>): boolean {
  const source = SOURCES[row.source];
  if (!source || source.heldOut) return true;
  return fractionOf(duplicateKey(row), SPLIT_SEED) >= (LEARNED_SHARES[row.source] ?? LEARNED_SHARE);
}

import { duplicateKey } from '../rows/duplicates.ts';
import type { Row } from '../rows/row.ts';
import { fractionOf } from '../rows/split.ts';
import { SOURCES } from '../sources.ts';

/** Of each source every text whose key falls above the share is kept for testing. */
const LEARNT_SHARES: Readonly<Record<string, number>> = { uci: 0.7, nus: 0.7 };
const LEARNT_SHARE = 0.8;
const SPLIT_SEED = 7;

/** Whether a row is never learnt from by models of any licence, so that it can show how they fare. */
export function isTextForTesting(row: Pick<Row, 'kind' | 'content' | 'source'>): boolean {
  const source = SOURCES[row.source];
  if (!source || source.heldOut) return true;
  return fractionOf(duplicateKey(row), SPLIT_SEED) >= (LEARNT_SHARES[row.source] ?? LEARNT_SHARE);
}

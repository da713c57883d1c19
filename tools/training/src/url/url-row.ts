import type { ModelLicence } from '@tps/detection';
import { type LinkAddress, parseLinkAddress } from '@tps/detection/training';
import type { Row } from '../rows/row.ts';
import { fractionOf } from '../rows/split.ts';
import { SOURCES } from '../sources.ts';

/** A row with a link that can be scored. */
export interface UrlRow extends Row {
  readonly address: LinkAddress;
}

/** The use of a row: the same for every licence, so that figures are comparable. */
export type DataSplit = 'train' | 'calibrate' | 'held_out';

/** For each dated source the first month that is kept for testing, such as `2026-04`. */
export type Cutoffs = Readonly<Record<string, string>>;

const SPLIT_SEED = 7;
const HELD_OUT_SHARE = 0.2;
const CALIBRATION_SHARE = 0.1;
const MONTH = 'yyyy-mm'.length;
const MONTHS_TO_HISTORY = 12;

/** Parses the addresses of link rows; rows without a public address are left out. */
export function toUrlRows(rows: readonly Row[]): UrlRow[] {
  return rows.flatMap((row) => {
    const address = row.kind === 'url' ? parseLinkAddress(row.content) : undefined;
    return address ? [{ ...row, address }] : [];
  });
}

/**
 * Keeps the newest months of each active source of threats for testing. A source that ended a year before the
 * others is history: its last months do not test future quality.
 */
export function findCutoffs(rows: readonly Row[], holdoutMonths: number): Cutoffs {
  const newest: Record<string, string> = {};
  for (const { kind, source, date, threat } of rows) {
    if (kind !== 'url' || !threat || date === undefined) continue;
    if (date > (newest[source] ?? '')) newest[source] = date;
  }
  const latest = Object.values(newest).sort().at(-1) ?? '';
  const alive = latest === '' ? '' : monthBefore(latest.slice(0, MONTH), MONTHS_TO_HISTORY);
  return Object.fromEntries(
    Object.entries(newest)
      .filter(([, date]) => date.slice(0, MONTH) >= alive)
      .sort()
      .map(([source, date]) => [source, monthBefore(date.slice(0, MONTH), holdoutMonths - 1)]),
  );
}

/**
 * Returns the use of a row. All links of a registered domain have the same use, regardless of the source.
 * Months from a source's cutoff on, held-out sources and unknown sources are for testing only.
 */
export function splitOf({ source, date, threat, address }: UrlRow, cutoffs: Cutoffs): DataSplit {
  const known = SOURCES[source];
  if (!known || known.heldOut) return 'held_out';
  if (isNewest({ source, date, threat }, cutoffs)) return 'held_out';
  const fraction = fractionOf(address.site, SPLIT_SEED);
  if (fraction < HELD_OUT_SHARE) return 'held_out';
  return fraction < HELD_OUT_SHARE + CALIBRATION_SHARE ? 'calibrate' : 'train';
}

/** Returns whether a row is a threat of the months that are kept for testing. */
export function isNewest(
  { source, date, threat }: Pick<Row, 'source' | 'threat'> & { date?: string | undefined },
  cutoffs: Cutoffs,
): boolean {
  const cutoff = cutoffs[source];
  return threat && cutoff !== undefined && date !== undefined && date.slice(0, MONTH) >= cutoff;
}

/** Returns whether a model of this licence may learn from a source. */
export function mayLearnFrom(source: string, licence: ModelLicence): boolean {
  const known = SOURCES[source];
  return known !== undefined && !known.heldOut && (licence === 'any' || known.redistributable);
}

function monthBefore(month: string, count: number): string {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 - count;
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;
}

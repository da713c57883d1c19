import type { Models } from '@tps/detection';
import { scoreUrl } from '@tps/detection/training';
import type { ScoredRow } from '../measure/metrics.ts';
import { EVASIONS, type LinkEvasion } from './evade-link.ts';
import { sampleRows } from './sample-rows.ts';
import { isNewest, mayLearnFrom, splitOf, type UrlRow } from './url-row.ts';

/** The number of links that are disguised to measure the loss of recall. */
const MAX_DISGUISED = 2000;

export interface ScoredUrl extends ScoredRow {
  readonly source: string;
  /** From the months that are kept for testing. */
  readonly newest: boolean;
}

export interface ScoredRows {
  readonly scored: readonly ScoredUrl[];
  /** The scores of the same threats of the newest months, or of all threats without any: as they are, and dressed up. */
  readonly plain: readonly number[];
  readonly evasions: readonly (LinkEvasion & { readonly scores: readonly number[] })[];
  readonly microseconds: number;
}

/**
 * Leaves out rows that weights or probabilities were fitted on, and threats on any domain among those rows.
 */
export function unseenRows(rows: readonly UrlRow[], { licence, urlCutoffs }: Models): UrlRow[] {
  const learned = new Set<string>();
  for (const row of rows) {
    if (mayLearnFrom(row.source, licence) && splitOf(row, urlCutoffs) === 'train')
      learned.add(row.address.site);
  }
  return rows.filter(
    (row) => splitOf(row, urlCutoffs) === 'held_out' && !(row.threat && learned.has(row.address.site)),
  );
}

/** Scores rows. For very large sources it scores a sample that depends on the rows alone. */
export function scoreRows(rows: readonly UrlRow[], models: Models): ScoredRows {
  const chosen = sampleRows(rows);
  const start = performance.now();
  const scored = chosen.map((row) => ({
    score: probability(row.content, models),
    threat: row.threat,
    source: row.source,
    newest: isNewest(row, models.urlCutoffs),
  }));
  const microseconds = ((performance.now() - start) * 1000) / Math.max(1, chosen.length);
  const targets = toTargets(chosen, models);
  return {
    scored,
    plain: targets.map(({ content }) => probability(content, models)),
    evasions: EVASIONS.map((evasion) => ({
      ...evasion,
      scores: targets.map((row) => probability(evasion.dressUp(row), models)),
    })),
    microseconds,
  };
}

/** A sample of the threats whose domains have letters to replace. */
function toTargets(rows: readonly UrlRow[], { urlCutoffs }: Models): UrlRow[] {
  const threats = rows.filter(({ threat, address }) => threat && /[aceiopsxyj]/.test(address.name));
  const newest = threats.filter((row) => isNewest(row, urlCutoffs));
  const some = newest.length > 0 ? newest : threats;
  const every = Math.max(1, Math.floor(some.length / MAX_DISGUISED));
  return some.filter((_, at) => at % every === 0);
}

function probability(url: string, models: Models): number {
  return scoreUrl(url, models.url)?.probability ?? 0;
}

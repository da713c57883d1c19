import type { Models } from '@tps/detection';
import { scoreUrl } from '@tps/detection/training';
import type { ScoredRow } from '../measure/metrics.ts';
import { EVASIONS, type LinkEvasion, UNCHANGED } from './evade-link.ts';
import { sampleRows } from './sample-rows.ts';
import { isNewest, mayLearnFrom, splitOf, type UrlRow } from './url-row.ts';

/** The number of links that are disguised to measure the loss of recall. */
const MAX_DISGUISED = 2000;

export interface ScoredUrl extends ScoredRow {
  readonly source: string;
  /** The registered domain, or the name on free hosting. */
  readonly site: string;
  /** From the months that are kept for testing. */
  readonly newest: boolean;
}

/** Scores of the same threats of the newest months, or of all threats without any. */
export interface ScoredEvasions {
  readonly targets: readonly { readonly site: string }[];
  /** As they are first, then dressed up. */
  readonly ways: readonly (Pick<LinkEvasion, 'name' | 'title'> & { readonly scores: readonly number[] })[];
}

export interface ScoredRows {
  readonly scored: readonly ScoredUrl[];
  readonly evasions: ScoredEvasions;
}

/**
 * Leaves out rows that weights or probabilities were fitted on, and threats on any domain among those rows.
 */
export function unseenRows(
  rows: readonly UrlRow[],
  { licence, urlCutoffs }: Pick<Models, 'licence' | 'urlCutoffs'>,
): UrlRow[] {
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
  const scored = chosen.map((row) => ({
    score: probability(row.content, models),
    threat: row.threat,
    source: row.source,
    site: row.address.site,
    newest: isNewest(row, models.urlCutoffs),
  }));
  const targets = toTargets(chosen, models);
  const ways = [UNCHANGED, ...EVASIONS].map(({ name, title, dressUp }) => ({
    name,
    title,
    scores: targets.map((row) => probability(dressUp(row), models)),
  }));
  return { scored, evasions: { targets: targets.map(({ address: { site } }) => ({ site })), ways } };
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

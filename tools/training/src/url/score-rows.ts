import type { Models } from '@tps/detection';
import { scoreUrl } from '@tps/detection/training';
import type { ScoredRow } from '../measure/metrics.ts';
import { disguiseHost } from './disguise-host.ts';
import { sampleRows } from './sample-rows.ts';
import { isNewest, mayLearnFrom, partOf, type UrlRow } from './url-row.ts';

/** Links that are disguised to see what that loses. */
const MAX_DISGUISED = 2000;

export interface ScoredUrl extends ScoredRow {
  readonly source: string;
  /** Of the months that are kept for testing. */
  readonly newest: boolean;
}

export interface ScoredRows {
  readonly scored: readonly ScoredUrl[];
  /** The same threats as they are, and with letters of another script in their domains. */
  readonly plain: readonly number[];
  readonly disguised: readonly number[];
  readonly microseconds: number;
}

/** Leaves out what weights or probabilities were fitted on, and threats on any domain that was among it. */
export function unseenRows(rows: readonly UrlRow[], { licence, urlCutoffs }: Models): UrlRow[] {
  const learnt = new Set<string>();
  for (const row of rows) {
    if (mayLearnFrom(row.source, licence) && partOf(row, urlCutoffs) === 'train')
      learnt.add(row.address.site);
  }
  return rows.filter(
    (row) => partOf(row, urlCutoffs) === 'held_out' && !(row.threat && learnt.has(row.address.site)),
  );
}

/** Scores rows, of very large sources a sample that depends on the rows alone. */
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
  const some = chosen.filter(({ threat, address }) => threat && /[aceiopsxyj]/.test(address.name));
  const every = Math.max(1, Math.floor(some.length / MAX_DISGUISED));
  const targets = some.filter((_, at) => at % every === 0);
  return {
    scored,
    plain: targets.map(({ content }) => probability(content, models)),
    disguised: targets.map(({ content, address }) =>
      probability(disguiseHost(content, address.name), models),
    ),
    microseconds,
  };
}

function probability(url: string, models: Models): number {
  return scoreUrl(url, models.url)?.probability ?? 0;
}

import type { Models } from '@tps/detection';
import { type RankedRows, rank, rankGroups } from '../measure/ranking.ts';
import type { ScoredUrl } from './score-rows.ts';
import { mayLearnFrom } from './url-row.ts';

/** So that a campaign with many links of one domain does not decide a figure. */
const MAX_PER_SITE = 5;

/** The rows behind the figures. */
export interface LinkGroups {
  readonly all: RankedRows;
  readonly benign: RankedRows;
  readonly threats: RankedRows;
  /** Links of sources that the model may learn from. */
  readonly known: RankedRows;
  /** By source; those of the newest months separately. */
  readonly threatsBySource: ReadonlyMap<string, RankedRows>;
  /** The same, with at most five links of a registered domain. */
  readonly fewPerSite: ReadonlyMap<string, RankedRows>;
  readonly benignBySource: ReadonlyMap<string, RankedRows>;
}

/** Ranks the rows of each group. */
export function toGroups(scored: readonly ScoredUrl[], { licence }: Models): LinkGroups {
  const nameOf = ({ newest, source }: ScoredUrl) => (newest ? `${source}.newest` : source);
  const few = selectFewPerSite(scored, nameOf);
  return {
    all: rank(scored),
    benign: rank(scored, ({ threat }) => !threat),
    threats: rank(scored, ({ threat }) => threat),
    known: rank(scored, ({ source }) => mayLearnFrom(source, licence)),
    threatsBySource: rankGroups(scored, (row) => (row.threat ? [nameOf(row)] : [])),
    fewPerSite: rankGroups(scored, (row) => (row.threat && few.has(row) ? [nameOf(row)] : [])),
    benignBySource: rankGroups(scored, ({ threat, source }) => (threat ? [] : [source])),
  };
}

/** Selects the first five links of each registered domain in each group. */
function selectFewPerSite(
  scored: readonly ScoredUrl[],
  nameOf: (row: ScoredUrl) => string,
): ReadonlySet<ScoredUrl> {
  const counts = new Map<string, number>();
  return new Set(
    scored.filter((row) => {
      const key = `${nameOf(row)} ${row.site}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count <= MAX_PER_SITE;
    }),
  );
}

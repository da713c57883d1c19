import type { Models } from '@tps/detection';
import { type Figures, measureWithIntervals } from '../measure/bootstrap.ts';
import { type EvaluationOptions, joinTables, type TableFigures } from '../measure/evaluation.ts';
import {
  areaUnderCurve,
  calibrationError,
  precisionAt,
  type RankedRows,
  rank,
  rankGroups,
  shareAt,
  thresholdFor,
  type Weights,
} from '../measure/ranking.ts';
import type { Row } from '../rows/row.ts';
import { benignTable, overallTable, threatTable } from './link-tables.ts';
import { measureLinkEvasions } from './measure-link-evasions.ts';
import { type ScoredUrl, scoreRows, unseenRows } from './score-rows.ts';
import { mayLearnFrom, toUrlRows } from './url-row.ts';

/** So that a campaign with many links of one domain does not decide a figure. */
const MAX_PER_SITE = 5;

/** Evaluates the URL model. */
export function evaluateUrls(rows: readonly Row[], { models, all }: EvaluationOptions): TableFigures {
  const usable = toUrlRows(rows);
  const { scored, evasions } = scoreRows(all ? usable : unseenRows(usable, models), models);
  if (scored.length === 0) return joinTables([]);
  const groups = toGroups(scored, models);
  const measured = measureWithIntervals(
    scored.map(({ site }) => site),
    (weights) => measureLinks(groups, models, weights),
  );
  const tables = [
    overallTable(measured, groups, models),
    threatTable(measured, groups),
    benignTable(measured, groups),
  ];
  const point = thresholdFor(groups.benign, 0.01, new Float64Array(scored.length).fill(1));
  return joinTables([{ ...measured, tables }, measureLinkEvasions(evasions, point, models)]);
}

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

function toGroups(scored: readonly ScoredUrl[], { licence }: Models): LinkGroups {
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

function measureLinks(groups: LinkGroups, { thresholds }: Models, weights: Weights): Figures {
  const { all, benign, threats, known } = groups;
  const { warn, block } = thresholds.url;
  const one = thresholdFor(benign, 0.01, weights);
  const tenth = thresholdFor(benign, 0.001, weights);
  const { precision, recall, f1 } = precisionAt(all, warn, weights);
  const figures: Record<string, number> = {
    'url.precision': precision,
    'url.recall': recall,
    'url.f1': f1,
    'url.auc': areaUnderCurve(all, weights),
    'url.recall_at_1pct': shareAt(threats, one, weights),
    'url.recall_at_0.1pct': shareAt(threats, tenth, weights),
    'url.calibration_error': calibrationError(known, weights),
    'url.calibration_error_of_all_sources': calibrationError(all, weights),
    'url.false_alarms': shareAt(benign, warn, weights),
    'url.false_blocks': shareAt(benign, block, weights),
  };
  for (const [name, group] of groups.threatsBySource) {
    figures[`url.${name}.recall_at_1pct`] = shareAt(group, one, weights);
    figures[`url.${name}.recall_at_0.1pct`] = shareAt(group, tenth, weights);
    figures[`url.${name}.recall`] = shareAt(group, warn, weights);
    figures[`url.${name}.blocked`] = shareAt(group, block, weights);
  }
  for (const [name, group] of groups.fewPerSite) {
    figures[`url.${name}.five_per_domain.recall_at_1pct`] = shareAt(group, one, weights);
    figures[`url.${name}.five_per_domain.recall`] = shareAt(group, warn, weights);
  }
  for (const [name, group] of groups.benignBySource) {
    figures[`url.${name}.false_alarms`] = shareAt(group, warn, weights);
    figures[`url.${name}.false_blocks`] = shareAt(group, block, weights);
  }
  return figures;
}

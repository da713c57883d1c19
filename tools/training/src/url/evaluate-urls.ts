import type { Models } from '@tps/detection';
import { type Figures, measureWithIntervals } from '../measure/bootstrap.ts';
import { type EvaluationOptions, joinTables, type TableFigures } from '../measure/evaluation.ts';
import {
  areaUnderCurve,
  calibrationError,
  precisionAt,
  shareAt,
  thresholdFor,
  type Weights,
} from '../measure/ranking.ts';
import type { Row } from '../rows/row.ts';
import { type LinkGroups, toGroups } from './link-groups.ts';
import { benignTable, overallTable, threatTable } from './link-tables.ts';
import { measureLinkEvasions } from './measure-link-evasions.ts';
import { scoreRows, unseenRows } from './score-rows.ts';
import { toUrlRows } from './url-row.ts';

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

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
import { measureEvasions } from './measure-evasions.ts';
import { referencePoint, scoreTexts } from './score-texts.ts';
import { type TextGroups, toGroups } from './text-groups.ts';
import { isTextForTesting } from './text-row.ts';
import { benignTable, languageTable, overallTable, threatTable } from './text-tables.ts';

/** Evaluates the text model, with the links of each text scored by the URL model, as in a scan. */
export function evaluateTexts(rows: readonly Row[], { models, all }: EvaluationOptions): TableFigures {
  const usable = rows.filter((row) => row.kind === 'text' && (all || isTextForTesting(row)));
  const scored = scoreTexts(usable, models);
  if (scored.length === 0) return joinTables([]);
  const groups = toGroups(scored, models);
  const measured = measureWithIntervals(
    scored.map((_, at) => String(at)),
    (weights) => measureTexts(groups, models, weights),
  );
  const figures = { ...measured.figures, 'text.not_scored': 1 - scored.length / usable.length };
  const tables = [
    overallTable({ ...measured, figures }, groups, models),
    threatTable(measured, groups),
    benignTable(measured, groups),
    languageTable(measured, groups),
  ];
  return joinTables([
    { ...measured, figures, tables },
    measureEvasions(scored, referencePoint(scored), models),
  ]);
}

function measureTexts(groups: TextGroups, { thresholds }: Models, weights: Weights): Figures {
  const { all, benign, threats, uci } = groups;
  const { warn, block } = thresholds.text;
  const points = groups.references.map((reference) => thresholdFor(reference, 0.01, weights));
  const point = points.length === 0 ? Number.NaN : Math.max(...points);
  const { precision, recall, f1 } = precisionAt(all, warn, weights);
  const figures: Record<string, number> = {
    'text.precision': precision,
    'text.recall': recall,
    'text.f1': f1,
    'text.auc': areaUnderCurve(all, weights),
    'text.recall_at_1pct': shareAt(threats, thresholdFor(benign, 0.01, weights), weights),
    'text.recall_at_0.1pct': shareAt(threats, thresholdFor(benign, 0.001, weights), weights),
    'text.calibration_error': calibrationError(groups.knownWords, weights),
    'text.calibration_error_of_all_sources': calibrationError(groups.words, weights),
    'text.calibration_error_with_links': calibrationError(groups.known, weights),
    'text.false_alarms': shareAt(benign, warn, weights),
    'text.false_blocks': shareAt(benign, block, weights),
  };
  if (uci.scores.length > 0) {
    figures['text.uci.f1'] = precisionAt(uci, 0.5, weights).f1;
    figures['text.uci.f1_at_1pct'] = precisionAt(uci, point, weights).f1;
    figures['text.uci.f1_of_warnings'] = precisionAt(uci, warn, weights).f1;
  }
  for (const [name, group] of groups.threatsBySource) {
    figures[`text.${name}.recall_at_1pct`] = shareAt(group, point, weights);
    figures[`text.${name}.recall`] = shareAt(group, warn, weights);
    figures[`text.${name}.blocked`] = shareAt(group, block, weights);
  }
  for (const [name, group] of groups.benignBySource) {
    figures[`text.${name}.false_alarms`] = shareAt(group, warn, weights);
    figures[`text.${name}.false_blocks`] = shareAt(group, block, weights);
  }
  for (const [name, group] of groups.byLanguage) {
    figures[`text.language.${name}.recall`] = shareAt(group, warn, weights);
    figures[`text.language.${name}.blocked`] = shareAt(group, block, weights);
  }
  return figures;
}

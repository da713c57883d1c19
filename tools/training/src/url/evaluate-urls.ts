import type { Models } from '@tps/detection';
import {
  type Evaluation,
  type EvaluationOptions,
  type Table,
  toFixed,
  toPercent,
} from '../measure/evaluation.ts';
import {
  areaUnderCurve,
  calibrationError,
  measureAt,
  shareAtOrAbove,
  thresholdAt,
} from '../measure/metrics.ts';
import { atThreatShare, THREAT_SHARE } from '../measure/threat-share.ts';
import type { Row } from '../rows/row.ts';
import { MAX_PER_SOURCE } from './sample-rows.ts';
import { type ScoredRows, type ScoredUrl, scoreRows, unseenRows } from './score-rows.ts';
import { mayLearnFrom, toUrlRows } from './url-row.ts';

const REFERENCE =
  'Recall at 1 % and 0.1 % FP is measured on all benign links above together: held-out domains of all sources, and all links of the held-out sources.';

/** Evaluates the URL model. */
export function evaluateUrls(rows: readonly Row[], { models, all }: EvaluationOptions): Evaluation {
  const usable = toUrlRows(rows);
  const result = scoreRows(all ? usable : unseenRows(usable, models), models);
  const { scored, microseconds } = result;
  if (scored.length === 0) return { tables: [], figures: {}, microseconds: {} };
  const benign = scored.filter(({ threat }) => !threat).map(({ score }) => score);
  const points = [thresholdAt(benign, 0.01), thresholdAt(benign, 0.001)] as const;
  const parts = [
    overall(scored, points, models),
    bySource(scored, points, models),
    benignBySource(scored, models),
    toEvasionTable(result, points[0], models),
  ];
  return {
    tables: parts.map(({ table }) => table),
    figures: Object.fromEntries(parts.flatMap(({ figures }) => Object.entries(figures))),
    microseconds: { url: microseconds },
  };
}

interface TableFigures {
  readonly table: Table;
  readonly figures: Readonly<Record<string, number>>;
}
type Points = readonly [one: number, tenth: number];

function overall(
  scored: readonly ScoredUrl[],
  [one, tenth]: Points,
  { thresholds, licence }: Models,
): TableFigures {
  const threats = scored.filter(({ threat }) => threat).map(({ score }) => score);
  const benign = scored.filter(({ threat }) => !threat).map(({ score }) => score);
  const { precision, recall, f1 } = measureAt(scored, thresholds.url.warn);
  const figures = {
    'url.precision': precision,
    'url.recall': recall,
    'url.f1': f1,
    'url.auc': areaUnderCurve(scored),
    'url.recall_at_1pct': shareAtOrAbove(threats, one),
    'url.recall_at_0.1pct': shareAtOrAbove(threats, tenth),
    'url.calibration_error': calibrationError(
      atThreatShare(scored.filter(({ source }) => mayLearnFrom(source, licence))),
    ),
    'url.calibration_error_of_all_sources': calibrationError(atThreatShare(scored)),
    'url.false_alarms': shareAtOrAbove(benign, thresholds.url.warn),
    'url.false_blocks': shareAtOrAbove(benign, thresholds.url.block),
  };
  const rows = Object.entries(figures).map(([name, value]) => [name, toFixed(value)]);
  const head = ['links, all together', 'value'];
  const note = `${threats.length} threats, ${benign.length} benign; at most ${MAX_PER_SOURCE} rows of one source, label and year (a sample). Warning threshold ${toFixed(thresholds.url.warn)}, blocking threshold ${toFixed(thresholds.url.block)}; precision, recall and F1 are at the warning threshold. The calibration error is measured on held-out links of sources that the model may learn from, with threats weighted to ${toPercent(THREAT_SHARE)}.`;
  return { table: { title: 'Links', head, rows, note }, figures };
}

function bySource(scored: readonly ScoredUrl[], [one, tenth]: Points, { thresholds }: Models): TableFigures {
  const figures: Record<string, number> = {};
  const groups = group(scored, ({ threat, newest, source }) =>
    threat ? (newest ? `${source}.newest` : source) : undefined,
  );
  const rows = groups.map(([name, scores]) => {
    figures[`url.${name}.recall_at_1pct`] = shareAtOrAbove(scores, one);
    figures[`url.${name}.recall_at_0.1pct`] = shareAtOrAbove(scores, tenth);
    const limits = [one, tenth, thresholds.url.warn, thresholds.url.block];
    return [name, String(scores.length), ...limits.map((limit) => toPercent(shareAtOrAbove(scores, limit)))];
  });
  const head = ['threats', 'rows', 'recall at 1 % FP', 'at 0.1 % FP', 'warned', 'blocked'];
  return { table: { title: 'Links: threats by source', head, rows, note: REFERENCE }, figures };
}

function benignBySource(scored: readonly ScoredUrl[], { thresholds }: Models): TableFigures {
  const figures: Record<string, number> = {};
  const groups = group(scored, ({ threat, source }) => (threat ? undefined : source));
  const rows = groups.map(([name, scores]) => {
    figures[`url.${name}.false_alarms`] = shareAtOrAbove(scores, thresholds.url.warn);
    const limits = [thresholds.url.warn, thresholds.url.block];
    return [name, String(scores.length), ...limits.map((limit) => toPercent(shareAtOrAbove(scores, limit)))];
  });
  const head = ['benign', 'rows', 'warned', 'blocked'];
  return { table: { title: 'Links: benign by source', head, rows }, figures };
}

function toEvasionTable({ plain, evasions }: ScoredRows, one: number, { thresholds }: Models): TableFigures {
  const at = (scores: readonly number[], limit: number) => toPercent(shareAtOrAbove(scores, limit));
  const toRow = (title: string, scores: readonly number[]) => [
    title,
    String(scores.length),
    at(scores, one),
    at(scores, thresholds.url.warn),
  ];
  const figures = Object.fromEntries(
    evasions.map(({ name, scores }) => [`url.evasion.${name}.recall_at_1pct`, shareAtOrAbove(scores, one)]),
  );
  const rows = [toRow('unchanged', plain), ...evasions.map(({ title, scores }) => toRow(title, scores))];
  const head = ['threats', 'rows', 'recall at 1 % FP', 'warned'];
  return {
    table: { title: 'Links: evasion', head, rows, note: 'A sample of the threats of the newest months.' },
    figures,
  };
}

function group(
  scored: readonly ScoredUrl[],
  keyOf: (row: ScoredUrl) => string | undefined,
): [name: string, scores: number[]][] {
  const groups = new Map<string, number[]>();
  for (const row of scored) {
    const key = keyOf(row);
    if (key === undefined) continue;
    const scores = groups.get(key);
    if (scores) scores.push(row.score);
    else groups.set(key, [row.score]);
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
}

import type { Models } from '@tps/detection';
import type { MeasuredFigures } from '../measure/bootstrap.ts';
import {
  NO_INTERVAL,
  type Table,
  toFixed,
  toFixedCell,
  toPercent,
  toPercentCell,
} from '../measure/evaluation.ts';
import { THREAT_SHARE } from '../measure/threat-share.ts';
import type { LinkGroups } from './link-groups.ts';
import { MAX_PER_SOURCE } from './sample-rows.ts';

const REFERENCE =
  'Recall at 1 % and 0.1 % FP is measured on all benign links above together: held-out domains of all sources, and all links of the held-out sources. "Five per domain" counts at most five links of a registered domain, or of a name on free hosting.';
/** The figures of the first table, in its order. */
const OVERALL = [
  'precision',
  'recall',
  'f1',
  'auc',
  'recall_at_1pct',
  'recall_at_0.1pct',
  'calibration_error',
  'calibration_error_of_all_sources',
  'false_alarms',
  'false_blocks',
];

/** Returns the table of all links together. */
export function overallTable(
  measured: MeasuredFigures,
  { threats, benign }: LinkGroups,
  { thresholds }: Models,
): Table {
  const rows = OVERALL.map((name) => [`url.${name}`, toFixedCell(measured, `url.${name}`)]);
  const note = `${threats.scores.length} threats, ${benign.scores.length} benign; at most ${MAX_PER_SOURCE} rows of one source, label and year (a sample). In brackets is the confidence interval of 95 %, with domains resampled. Warning threshold ${toFixed(thresholds.url.warn)}, blocking threshold ${toFixed(thresholds.url.block)}; precision, recall and F1 are at the warning threshold. The calibration error is measured on held-out links of sources that the model may learn from, with threats weighted to ${toPercent(THREAT_SHARE)}.`;
  return { title: 'Links', head: ['links, all together', 'value (95 %)'], rows, note };
}

/** Returns the table of the threats that are found, by source. */
export function threatTable(measured: MeasuredFigures, { threatsBySource }: LinkGroups): Table {
  const rows = Array.from(threatsBySource, ([name, { scores }]) => [
    name,
    String(scores.length),
    ...['recall_at_1pct', 'five_per_domain.recall_at_1pct', 'recall'].map((figure) =>
      toPercentCell(measured, `url.${name}.${figure}`),
    ),
    ...['five_per_domain.recall', 'recall_at_0.1pct', 'blocked'].map((figure) =>
      toPercent(measured.figures[`url.${name}.${figure}`] ?? Number.NaN),
    ),
  ]);
  const head = [
    'threats',
    'rows',
    'recall at 1 % FP',
    'five per domain',
    'warned',
    'five per domain',
    'recall at 0.1 % FP',
    'blocked',
  ];
  return { title: 'Links: threats by source', head, rows, note: REFERENCE };
}

/** Returns the table of the benign links that are mistaken for threats, by source. */
export function benignTable(measured: MeasuredFigures, { benignBySource }: LinkGroups): Table {
  const rows = Array.from(benignBySource, ([name, { scores }]) => [
    name,
    String(scores.length),
    ...['false_alarms', 'false_blocks'].map((figure) => toPercentCell(measured, `url.${name}.${figure}`)),
  ]);
  return {
    title: 'Links: benign by source',
    head: ['benign', 'rows', 'warned', 'blocked'],
    rows,
    note: NO_INTERVAL,
  };
}

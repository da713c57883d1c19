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
import type { RankedRows } from '../measure/ranking.ts';
import { THREAT_SHARE } from '../measure/threat-share.ts';
import { REFERENCE } from './score-texts.ts';
import type { TextGroups } from './text-groups.ts';

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
  'calibration_error_with_links',
  'false_alarms',
  'false_blocks',
  'uci.f1',
  'uci.f1_at_1pct',
  'uci.f1_of_warnings',
];

/** Returns the table of all texts together. */
export function overallTable(
  measured: MeasuredFigures,
  { threats, benign }: TextGroups,
  { thresholds }: Models,
): Table {
  const rows = [
    ...OVERALL.filter((name) => `text.${name}` in measured.figures).map((name) => [
      `text.${name}`,
      toFixedCell(measured, `text.${name}`),
    ]),
    ['text.not_scored', toFixed(measured.figures['text.not_scored'] ?? Number.NaN)],
  ];
  const note = `${threats.scores.length} threats, ${benign.scores.length} benign. In brackets is the confidence interval of 95 %, with texts resampled. Warning threshold ${toFixed(thresholds.text.warn)}, blocking threshold ${toFixed(thresholds.text.block)}; precision, recall and F1 are at the warning threshold, for uci also at 0.5. Each text is scored with its links. The calibration error is measured on held-out texts of sources that the model may learn from, with threats weighted to ${toPercent(THREAT_SHARE)}.`;
  return { title: 'Texts', head: ['texts, all together', 'value (95 %)'], rows, note };
}

/** Returns the table of the threats that are found, by source. */
export function threatTable(measured: MeasuredFigures, { threatsBySource }: TextGroups): Table {
  const rows = toRows(threatsBySource, (name) => [
    ...['recall_at_1pct', 'recall'].map((figure) => toPercentCell(measured, `text.${name}.${figure}`)),
    toPercent(measured.figures[`text.${name}.blocked`] ?? Number.NaN),
  ]);
  const head = ['threats', 'rows', 'recall at 1 % FP', 'warned', 'blocked'];
  return { title: 'Texts: threats by source', head, rows, note: REFERENCE };
}

/** Returns the table of the benign texts that are mistaken for threats, by source. */
export function benignTable(measured: MeasuredFigures, { benignBySource }: TextGroups): Table {
  const rows = toRows(benignBySource, (name) =>
    ['false_alarms', 'false_blocks'].map((figure) => toPercentCell(measured, `text.${name}.${figure}`)),
  );
  const note = `Newsletters also count for their source. Most mails of \`sa_hard-ham-1\` are newsletters of 2002. ${NO_INTERVAL}`;
  return { title: 'Texts: benign by source', head: ['benign', 'rows', 'warned', 'blocked'], rows, note };
}

/** Returns the table of the threats that are found, by language, in the sources with several languages. */
export function languageTable(measured: MeasuredFigures, { byLanguage }: TextGroups): Table {
  const rows = toRows(byLanguage, (name) => [
    toPercentCell(measured, `text.language.${name}.recall`),
    toPercent(measured.figures[`text.language.${name}.blocked`] ?? Number.NaN),
  ]);
  const note =
    'The language is detected by function words; "other" stands for Chinese, Japanese, Korean and Thai, for languages that the model has not learned, and for texts too short to detect one.';
  return {
    title: 'Texts: threats by language',
    head: ['language', 'rows', 'warned', 'blocked'],
    rows,
    note,
  };
}

function toRows(groups: ReadonlyMap<string, RankedRows>, cellsOf: (name: string) => string[]): string[][] {
  return Array.from(groups, ([name, { scores }]) => [name, String(scores.length), ...cellsOf(name)]);
}

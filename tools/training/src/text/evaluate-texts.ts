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
import { mayLearnFrom } from '../url/url-row.ts';
import { languageOf } from './language-of.ts';
import { measureEvasions } from './measure-evasions.ts';
import { REFERENCES, referencePoint, type ScoredText, scoreTexts } from './score-texts.ts';
import { isTextForTesting } from './text-row.ts';
import { benignTable, languageTable, overallTable, threatTable } from './text-tables.ts';

/** Sources with threats in several languages. */
const MULTILINGUAL = ['spamhunter', 'phishpot'];

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

/** The rows behind the figures. */
export interface TextGroups {
  readonly all: RankedRows;
  readonly benign: RankedRows;
  readonly threats: RankedRows;
  readonly uci: RankedRows;
  /** Texts of sources that the model may learn from: with their links, and by their words alone. */
  readonly known: RankedRows;
  readonly knownWords: RankedRows;
  readonly words: RankedRows;
  readonly references: readonly RankedRows[];
  readonly threatsBySource: ReadonlyMap<string, RankedRows>;
  readonly benignBySource: ReadonlyMap<string, RankedRows>;
  readonly byLanguage: ReadonlyMap<string, RankedRows>;
}

function toGroups(scored: readonly ScoredText[], { licence }: Models): TextGroups {
  const byWords = scored.map((text) => ({ ...text, score: text.wordScore ?? Number.NaN }));
  const isWorded = ({ wordScore }: ScoredText) => wordScore !== undefined;
  const isKnown = ({ row }: ScoredText) => mayLearnFrom(row.source, licence);
  const languages = new Map(
    scored.flatMap(({ row, threat }) =>
      threat && MULTILINGUAL.includes(row.source) ? [[row, languageOf(row.content)]] : [],
    ),
  );
  return {
    all: rank(scored),
    benign: rank(scored, ({ threat }) => !threat),
    threats: rank(scored, ({ threat }) => threat),
    uci: rank(scored, ({ row }) => row.source === 'uci'),
    known: rank(scored, isKnown),
    knownWords: rank(byWords, (text) => isWorded(text) && isKnown(text)),
    words: rank(byWords, isWorded),
    references: REFERENCES.map((source) =>
      rank(scored, ({ row, threat }) => row.source === source && !threat),
    ).filter(({ scores }) => scores.length > 0),
    threatsBySource: rankGroups(scored, ({ row, threat }) => (threat ? namesOf(row) : [])),
    benignBySource: rankGroups(scored, ({ row, threat }) => (threat ? [] : namesOf(row))),
    byLanguage: rankGroups(scored, ({ row }) => {
      const language = languages.get(row);
      return language === undefined ? [] : [language];
    }),
  };
}

/**
 * User reports also contain advertising, and benign mails newsletters: the tables list these separately and
 * together.
 */
function namesOf({ source, label, topic }: Row): string[] {
  const part = source === 'smishtank' ? label : topic === 'newsletter' ? topic : undefined;
  return part === undefined ? [source] : [source, `${source}.${part}`];
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

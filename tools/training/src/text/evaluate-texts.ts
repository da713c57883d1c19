import { type ModelLicence, type Models, normalizeText } from '@tps/detection';
import { scoreText } from '@tps/detection/training';
import { type Evaluation, type EvaluationOptions, toFixed, toPercent } from '../measure/evaluation.ts';
import {
  areaUnderCurve,
  calibrationError,
  measureAt,
  shareAtOrAbove,
  thresholdAt,
} from '../measure/metrics.ts';
import { atThreatShare, THREAT_SHARE } from '../measure/threat-share.ts';
import type { Row } from '../rows/row.ts';
import { mayLearnFrom } from '../url/url-row.ts';
import { measureEvasions } from './measure-evasions.ts';
import { referencePoint, type ScoredText, scoreTexts } from './score-texts.ts';
import { isTextForTesting } from './text-row.ts';
import { benignBySource, type TableFigures, threatsByLanguage, threatsBySource } from './text-tables.ts';

/** Evaluates the text model, with the links of each text scored by the URL model, as in a scan. */
export function evaluateTexts(rows: readonly Row[], { models, all }: EvaluationOptions): Evaluation {
  const usable = rows.filter((row) => row.kind === 'text' && (all || isTextForTesting(row)));
  const scored = scoreTexts(usable, models);
  if (scored.length === 0) return { tables: [], figures: {}, microseconds: {} };
  const point = referencePoint(scored);
  const parts = [
    overall(scored, { count: usable.length, point, models }),
    threatsBySource(scored, point, models),
    benignBySource(scored, models),
    threatsByLanguage(scored, models),
    measureEvasions(scored, point, models),
  ];
  return {
    tables: parts.map(({ table }) => table),
    figures: Object.assign({}, ...parts.map(({ figures }) => figures)),
    microseconds: times(usable, models),
  };
}

function overall(
  scored: readonly ScoredText[],
  { count, point, models: { thresholds, licence } }: { count: number; point: number; models: Models },
): TableFigures {
  const benign = scored.filter(({ threat }) => !threat).map(({ score }) => score);
  const threats = scored.filter(({ threat }) => threat).map(({ score }) => score);
  const { precision, recall, f1 } = measureAt(scored, thresholds.text.warn);
  const uci = scored.filter(({ row }) => row.source === 'uci');
  const figures = {
    'text.precision': precision,
    'text.recall': recall,
    'text.f1': f1,
    'text.auc': areaUnderCurve(scored),
    'text.recall_at_1pct': shareAtOrAbove(threats, thresholdAt(benign, 0.01)),
    'text.recall_at_0.1pct': shareAtOrAbove(threats, thresholdAt(benign, 0.001)),
    ...calibration(scored, licence),
    'text.false_alarms': shareAtOrAbove(benign, thresholds.text.warn),
    'text.false_blocks': shareAtOrAbove(benign, thresholds.text.block),
    'text.not_scored': 1 - scored.length / count,
    ...(uci.length > 0 && {
      'text.uci.f1': measureAt(uci, 0.5).f1,
      'text.uci.f1_at_1pct': measureAt(uci, point).f1,
      'text.uci.f1_of_warnings': measureAt(uci, thresholds.text.warn).f1,
    }),
  };
  const rows = Object.entries(figures).map(([name, value]) => [name, toFixed(value)]);
  const note = `${threats.length} threats, ${benign.length} benign. Warning threshold ${toFixed(thresholds.text.warn)}, blocking threshold ${toFixed(thresholds.text.block)}; precision, recall and F1 are at the warning threshold, for uci also at 0.5. Each text is scored with its links. The calibration error is measured on held-out texts of sources that the model may learn from, with threats weighted to ${toPercent(THREAT_SHARE)}.`;
  return { table: { title: 'Texts', head: ['texts, all together', 'value'], rows, note }, figures };
}

/** The calibration error of texts alone, and with their links where the model may learn from the source. */
function calibration(scored: readonly ScoredText[], licence: ModelLicence): Record<string, number> {
  const wordScore = scored.flatMap((text) =>
    text.wordScore === undefined ? [] : [{ ...text, score: text.wordScore }],
  );
  const isKnown = ({ row }: ScoredText) => mayLearnFrom(row.source, licence);
  const error = (texts: readonly ScoredText[]) => calibrationError(atThreatShare(texts));
  return {
    'text.calibration_error': error(wordScore.filter(isKnown)),
    'text.calibration_error_of_all_sources': error(wordScore),
    'text.calibration_error_with_links': error(scored.filter(isKnown)),
  };
}

/** Returns the microseconds per text for normalizing and scoring its words, after a warm-up round. */
function times(rows: readonly Row[], models: Models): Record<string, number> {
  const short = rows.filter(({ content }) => content.length >= 120 && content.length <= 200).slice(0, 500);
  const long = rows.map(({ content }) => content).join(' ');
  const measure = (texts: readonly string[], rounds: number): number => {
    for (const text of texts) scoreText(normalizeText(text), models.text);
    const start = performance.now();
    for (let round = 0; round < rounds; round += 1)
      for (const text of texts) scoreText(normalizeText(text), models.text);
    return ((performance.now() - start) * 1000) / Math.max(1, rounds * texts.length);
  };
  return {
    'text of 160 characters': measure(
      short.map(({ content }) => content),
      3,
    ),
    'text of 10,000 characters': measure(
      Array.from({ length: 20 }, (_, at) => long.slice(at * 10_000, (at + 1) * 10_000)),
      2,
    ),
  };
}

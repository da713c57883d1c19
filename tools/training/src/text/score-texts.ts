import { analyzeContent, type Models, normalizeText } from '@tps/detection';
import { prepareText, scoreText } from '@tps/detection/training';
import { type ScoredRow, thresholdAt } from '../measure/metrics.ts';
import type { Row } from '../rows/row.ts';

/** The benign sources of which each must stay below 1 % at the reference point of recall. */
export const REFERENCES = ['nus', 'taskmaster4'];
/** The note below tables that use the reference point. */
export const REFERENCE = `Recall at 1 % FP is at the lowest score at which neither ${REFERENCES.join(' nor ')} has more than 1 % of false positives.`;

/** A row with the result of a scan. */
export interface ScoredText extends ScoredRow {
  readonly row: Row;
  /** The score of its words alone, if they could be scored. */
  readonly wordScore: number | undefined;
}

/** Scores rows as a scan does; omits rows that cannot be scored. */
export function scoreTexts(rows: readonly Row[], models: Models): ScoredText[] {
  return rows.flatMap((row) => {
    const classification = scoreContent(row.content, models);
    return classification === undefined ? [] : [{ row, ...classification, threat: row.threat }];
  });
}

/** Scores a text and its links as a scan does. Undefined when neither can be scored. */
export function scoreContent(
  content: string,
  models: Models,
): Pick<ScoredText, 'score' | 'wordScore'> | undefined {
  const { score } = analyzeContent({ type: 'text', text: content }, models);
  return score === undefined
    ? undefined
    : { score, wordScore: scoreText(prepareText(normalizeText(content)), models.text) };
}

/**
 * Returns the lowest score at which both references have at most 1 % of false alarms. NaN without references.
 */
export function referencePoint(scored: readonly ScoredText[]): number {
  const points = REFERENCES.flatMap((source) => {
    const scores = scored
      .filter(({ row, threat }) => row.source === source && !threat)
      .map(({ score }) => score);
    return scores.length === 0 ? [] : thresholdAt(scores, 0.01);
  });
  return points.length === 0 ? Number.NaN : Math.max(...points);
}

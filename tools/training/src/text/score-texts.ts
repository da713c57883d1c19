import { analyzeContent, type Models, normalizeText } from '@tps/detection';
import { scoreText } from '@tps/detection/training';
import { type ScoredRow, thresholdAt } from '../measure/metrics.ts';
import type { Row } from '../rows/row.ts';

/** Harmless sources that must stay below 1 %, each by itself, where recall is given at that point. */
export const REFERENCES = ['nus', 'taskmaster4'];
/** What tables logProgress of that point. */
export const REFERENCE = `The point of 1 % false positives is where neither of ${REFERENCES.join(' and ')} has more.`;

/** A row, and what a scan says of it. */
export interface ScoredText extends ScoredRow {
  readonly row: Row;
  /** By its words alone, where they could be scored. */
  readonly wordScore: number | undefined;
}

/** Scores rows as a scan does; those that cannot be scored are left out. */
export function scoreTexts(rows: readonly Row[], models: Models): ScoredText[] {
  return rows.flatMap((row) => {
    const classification = scoreContent(row.content, models);
    return classification === undefined ? [] : [{ row, ...classification, threat: row.threat }];
  });
}

/** Scores a text and its links as a scan does; undefined when neither can be scored. */
export function scoreContent(
  content: string,
  models: Models,
): Pick<ScoredText, 'score' | 'wordScore'> | undefined {
  const { score } = analyzeContent({ type: 'text', text: content }, models);
  return score === undefined
    ? undefined
    : { score, wordScore: scoreText(normalizeText(content), models.text) };
}

/** The lowest score at which both references have at most 1 % of false positives; NaN where there is neither. */
export function referencePoint(scored: readonly ScoredText[]): number {
  const points = REFERENCES.flatMap((source) => {
    const scores = scored
      .filter(({ row, threat }) => row.source === source && !threat)
      .map(({ score }) => score);
    return scores.length === 0 ? [] : thresholdAt(scores, 0.01);
  });
  return points.length === 0 ? Number.NaN : Math.max(...points);
}

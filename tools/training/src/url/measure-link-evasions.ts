import type { Models } from '@tps/detection';
import { measureWithIntervals } from '../measure/bootstrap.ts';
import { type TableFigures, toPercent, toPercentCell } from '../measure/evaluation.ts';
import { rank, shareAt } from '../measure/ranking.ts';
import type { ScoredEvasions } from './score-rows.ts';

/**
 * Measures how many threats are still found when they are dressed up.
 *
 * @param point the score that 1 % of the benign links reach
 */
export function measureLinkEvasions(
  { targets, ways }: ScoredEvasions,
  point: number,
  { thresholds }: Models,
): TableFigures {
  const { warn, block } = thresholds.url;
  const rankings = ways.map(({ name, scores }) => ({
    name,
    ranking: rank(scores.map((score) => ({ score, threat: true }))),
  }));
  const measured = measureWithIntervals(
    targets.map(({ site }) => site),
    (weights) => {
      const plain = rankings[0] && shareAt(rankings[0].ranking, warn, weights);
      return Object.fromEntries(
        rankings.flatMap(({ name, ranking }) => {
          const recall = shareAt(ranking, warn, weights);
          return [
            [`url.evasion.${name}.recall_at_1pct`, shareAt(ranking, point, weights)],
            [`url.evasion.${name}.recall`, recall],
            [`url.evasion.${name}.loss`, (plain ?? Number.NaN) - recall],
            [`url.evasion.${name}.blocked`, shareAt(ranking, block, weights)],
          ];
        }),
      );
    },
  );
  const rows = ways.map(({ name, title, scores }) => [
    title,
    String(scores.length),
    ...['recall', 'loss'].map((figure) => toPercentCell(measured, `url.evasion.${name}.${figure}`)),
    ...['blocked', 'recall_at_1pct'].map((figure) =>
      toPercent(measured.figures[`url.evasion.${name}.${figure}`] ?? Number.NaN),
    ),
  ]);
  const head = ['threats', 'rows', 'warned', 'loss', 'blocked', 'recall at 1 % FP'];
  const note =
    'A sample of the threats of the newest months. Warned and blocked are at the thresholds that the model ships with; the loss is of warnings.';
  return { ...measured, tables: [{ title: 'Links: evasion', head, rows, note }] };
}

import type { Models } from '@tps/detection';
import { measureWithIntervals } from '../measure/bootstrap.ts';
import { type TableFigures, toPercent, toPercentCell } from '../measure/evaluation.ts';
import { rank, shareAt } from '../measure/ranking.ts';
import { createRandom } from '../rows/split.ts';
import { DISGUISES, pad } from './disguise-text.ts';
import { REFERENCE, REFERENCES, type ScoredText, scoreContent } from './score-texts.ts';

const SEED = 23;
const MAX_DISGUISED = 600;
const PADDING_WORDS = 120;

/** Disguises some of the threats in every way, and pads them, to measure the loss of recall. */
export function measureEvasions(scored: readonly ScoredText[], point: number, models: Models): TableFigures {
  const { warn, block } = models.thresholds.text;
  const chosen = chooseThreats(scored);
  const changes = toChanges(scored);
  const rankings = Array.from(changes, ([name, change]) => ({
    name,
    ranking: rank(
      chosen.map((content) => ({ score: scoreContent(change(content), models)?.score ?? 0, threat: true })),
    ),
  }));
  const measured = measureWithIntervals(
    chosen.map((_, at) => String(at)),
    (weights) => {
      const [plain] = rankings.map(({ ranking }) => ({
        point: shareAt(ranking, point, weights),
        warned: shareAt(ranking, warn, weights),
      }));
      const figures: Record<string, number> = {};
      for (const { name, ranking } of rankings) {
        const [atPoint, warned] = [shareAt(ranking, point, weights), shareAt(ranking, warn, weights)];
        figures[`text.evasion.${name}.recall_at_1pct`] = atPoint;
        figures[`text.evasion.${name}.recall`] = warned;
        figures[`text.evasion.${name}.blocked`] = shareAt(ranking, block, weights);
        figures[`text.${name}_loss`] = (plain?.point ?? Number.NaN) - atPoint;
        figures[`text.${name}_loss_of_warnings`] = (plain?.warned ?? Number.NaN) - warned;
      }
      return figures;
    },
  );
  const rows = rankings.map(({ name, ranking }) => [
    name,
    String(ranking.scores.length),
    toPercentCell(measured, `text.evasion.${name}.recall`),
    toPercentCell(measured, `text.${name}_loss_of_warnings`),
    ...[`text.evasion.${name}.blocked`, `text.evasion.${name}.recall_at_1pct`, `text.${name}_loss`].map(
      (figure) => toPercent(measured.figures[figure] ?? Number.NaN),
    ),
  ]);
  const note = `Warned and blocked are at the thresholds that the model ships with. Padding adds at least ${PADDING_WORDS} words of benign texts before or behind. ${REFERENCE}`;
  const head = ['threats', 'rows', 'warned', 'loss', 'blocked', 'recall at 1 % FP', 'loss at 1 % FP'];
  return { ...measured, tables: [{ title: 'Texts: evasion', head, rows, note }] };
}

function chooseThreats(scored: readonly ScoredText[]): string[] {
  const threats = scored.filter(({ row, threat }) => threat && row.content.length < 1000);
  const every = Math.max(1, Math.floor(threats.length / MAX_DISGUISED));
  return threats.filter((_, at) => at % every === 0).map(({ row }) => row.content);
}

/** Returns the ways to change a text, by name; as it is first. Each has its own sequence of random numbers. */
function toChanges(scored: readonly ScoredText[]): ReadonlyMap<string, (text: string) => string> {
  const benign = scored
    .filter(({ row, threat }) => !threat && REFERENCES.includes(row.source))
    .map(({ row }) => row.content);
  const changes = new Map<string, (text: string) => string>([['unchanged', (text) => text]]);
  for (const [name, disguise] of Object.entries(DISGUISES)) {
    const random = createRandom(SEED);
    changes.set(name, (text) => disguise(text, random));
  }
  const random = createRandom(SEED);
  if (benign.length > 0)
    changes.set('padding', (text) => pad(text, benign, { random, words: PADDING_WORDS }));
  return changes;
}

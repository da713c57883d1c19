import type { Models } from '@tps/detection';
import { shareAtOrAbove } from '../measure/metrics.ts';
import { createRandom } from '../rows/split.ts';
import { DISGUISES, pad } from './disguise-text.ts';
import { REFERENCE, REFERENCES, type ScoredText, scoreContent } from './score-texts.ts';
import { shares, type TableFigures } from './text-tables.ts';

const SEED = 23;
const MAX_DISGUISED = 600;
const PADDING_WORDS = 120;

/** Disguises some of the threats in every way, and pads them, to measure the loss of recall. */
export function measureEvasions(scored: readonly ScoredText[], point: number, models: Models): TableFigures {
  const random = createRandom(SEED);
  const threats = scored.filter(({ row, threat }) => threat && row.content.length < 1000);
  const every = Math.max(1, Math.floor(threats.length / MAX_DISGUISED));
  const chosen = threats.filter((_, at) => at % every === 0).map(({ row }) => row.content);
  const benign = scored
    .filter(({ row, threat }) => !threat && REFERENCES.includes(row.source))
    .map(({ row }) => row.content);
  const changes: Readonly<Record<string, (text: string) => string>> = {
    unchanged: (text) => text,
    ...Object.fromEntries(
      Object.entries(DISGUISES).map(([name, disguise]) => [name, (text: string) => disguise(text, random)]),
    ),
    ...(benign.length > 0 && {
      padding: (text: string) => pad(text, benign, { random, words: PADDING_WORDS }),
    }),
  };
  const figures: Record<string, number> = {};
  let plain = 0;
  const rows = Object.entries(changes).map(([name, change]) => {
    const scores = chosen.map((content) => scoreContent(change(content), models)?.score ?? 0);
    const recall = shareAtOrAbove(scores, point);
    if (name === 'unchanged') plain = recall;
    else figures[`text.${name}_loss`] = plain - recall;
    return [name, String(scores.length), ...shares(scores, [point, models.thresholds.text.warn])];
  });
  const note = `Padding adds at least ${PADDING_WORDS} words of benign texts before or behind. ${REFERENCE}`;
  return {
    table: {
      title: 'Texts: evasion',
      head: ['threats', 'rows', 'recall at 1 % FP', 'warned'],
      rows,
      note,
    },
    figures,
  };
}

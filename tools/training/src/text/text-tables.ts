import { type Models, normalizeText } from '@tps/detection';
import { FUNCTION_WORDS } from '@tps/detection/training';
import { type Table, toPercent } from '../measure/evaluation.ts';
import { shareAtOrAbove } from '../measure/metrics.ts';
import type { Row } from '../rows/row.ts';
import { REFERENCE, type ScoredText } from './score-texts.ts';

/** A table with its figures by name. */
export interface TableFigures {
  readonly table: Table;
  readonly figures: Readonly<Record<string, number>>;
}

/** Returns the share of threats that are found, by source. */
export function threatsBySource(
  scored: readonly ScoredText[],
  point: number,
  { thresholds }: Models,
): TableFigures {
  const figures: Record<string, number> = {};
  const rows = group(scored, ({ row, threat }) => (threat ? [row.source, ...labelled(row)] : [])).map(
    ([name, scores]) => {
      figures[`text.${name}.recall_at_1pct`] = shareAtOrAbove(scores, point);
      figures[`text.${name}.recall`] = shareAtOrAbove(scores, thresholds.text.warn);
      return [
        name,
        String(scores.length),
        ...shares(scores, [point, thresholds.text.warn, thresholds.text.block]),
      ];
    },
  );
  const head = ['threats', 'rows', 'recall at 1 % FP', 'warned', 'blocked'];
  return { table: { title: 'Texts: threats by source', head, rows, note: REFERENCE }, figures };
}

/** User reports also contain advertising: the table lists both kinds separately and together. */
function labelled({ source, label }: Row): string[] {
  return source === 'smishtank' ? [`${source}.${label}`] : [];
}

/** Returns the share of benign texts that are mistaken for threats, by source. */
export function benignBySource(scored: readonly ScoredText[], { thresholds }: Models): TableFigures {
  const figures: Record<string, number> = {};
  const rows = group(scored, ({ row, threat }) => (threat ? [] : [row.source])).map(([name, scores]) => {
    figures[`text.${name}.false_alarms`] = shareAtOrAbove(scores, thresholds.text.warn);
    figures[`text.${name}.false_blocks`] = shareAtOrAbove(scores, thresholds.text.block);
    return [name, String(scores.length), ...shares(scores, [thresholds.text.warn, thresholds.text.block])];
  });
  return {
    table: { title: 'Texts: benign by source', head: ['benign', 'rows', 'warned', 'blocked'], rows },
    figures,
  };
}

/** Returns the share of threats that are found, by language, in the sources with several languages. */
export function threatsByLanguage(scored: readonly ScoredText[], { thresholds }: Models): TableFigures {
  const figures: Record<string, number> = {};
  const modern = scored.filter(
    ({ row, threat }) => threat && ['spamhunter', 'phishpot'].includes(row.source),
  );
  const rows = group(modern, ({ row }) => [languageOf(row.content)]).map(([name, scores]) => {
    figures[`text.language.${name}.recall`] = shareAtOrAbove(scores, thresholds.text.warn);
    return [name, String(scores.length), ...shares(scores, [thresholds.text.warn, thresholds.text.block])];
  });
  const note =
    'The language is detected by function words; "other" stands for languages beside these seven and for texts too short to detect one.';
  return {
    table: {
      title: 'Texts: threats by language',
      head: ['language', 'rows', 'warned', 'blocked'],
      rows,
      note,
    },
    figures,
  };
}

function languageOf(content: string): string {
  const words = normalizeText(content).text.match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(FUNCTION_WORDS).map(([language, known]) => {
    const set = new Set(known);
    return { language, count: words.filter((word) => word.length > 1 && set.has(word)).length };
  });
  counts.sort((one, other) => other.count - one.count);
  const [first] = counts;
  return first && first.count >= 2 ? first.language : 'other';
}

/** Returns the shares at each limit, formatted. */
export function shares(scores: readonly number[], limits: readonly number[]): string[] {
  return limits.map((limit) => toPercent(shareAtOrAbove(scores, limit)));
}

function group(
  scored: readonly ScoredText[],
  keysOf: (text: ScoredText) => readonly string[],
): [name: string, scores: number[]][] {
  const groups = new Map<string, number[]>();
  for (const text of scored) {
    for (const key of keysOf(text)) {
      const scores = groups.get(key);
      if (scores) scores.push(text.score);
      else groups.set(key, [text.score]);
    }
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
}

import { createDetector, type Models, type PlainContent } from '@tps/detection';
import type { Row } from '../rows/row.ts';
import type { Table } from './evaluation.ts';

/** What is timed, with its target: a device judges each message and link as it arrives. */
const TARGETS_US = {
  'a link': 100,
  'a text of 160 characters': 500,
  'a text of 10,000 characters': 3000,
} as const;
const MAX_ITEMS = 400;
const LONG_TEXTS = 20;
const LONG = 10_000;
/** Rounds before the measurement, in which the runtime compiles the code. */
const WARM_UPS = 5;
const ROUNDS = 3;

/** Measures the median time of a whole judgement, analysis and classification, after warm-up rounds. */
export function measureTimes(rows: readonly Row[], models: Models): Readonly<Record<string, number>> {
  const detector = createDetector({ models });
  const texts = rows.filter(({ kind }) => kind === 'text').map(({ content }) => content);
  const items: Record<keyof typeof TARGETS_US, PlainContent[]> = {
    'a link': some(rows.filter(({ kind }) => kind === 'url')).map(({ content }) => ({
      type: 'url',
      url: content,
    })),
    'a text of 160 characters': some(texts.filter(({ length }) => length >= 120 && length <= 200)).map(
      (text) => ({ type: 'text', text }),
    ),
    'a text of 10,000 characters': cut(texts.join(' ')).map((text) => ({ type: 'text', text })),
  };
  return Object.fromEntries(
    Object.entries(items)
      .filter(([, contents]) => contents.length > 0)
      .map(([item, contents]) => [item, medianOf(contents, (content) => detector.classify(content))]),
  );
}

/** Returns the table of times beside their targets. */
export function timeTable(microseconds: Readonly<Record<string, number>>): Table {
  const rows = Object.entries(microseconds).map(([item, median]) => {
    const target = TARGETS_US[item as keyof typeof TARGETS_US];
    return [item, median.toFixed(1), `≤ ${target}`];
  });
  const note =
    'The median of whole judgements: analysis, with normalization and both models, and classification.';
  return { title: 'Time', head: ['to judge', 'µs', 'target'], rows, note };
}

function medianOf(contents: readonly PlainContent[], judge: (content: PlainContent) => unknown): number {
  const times: number[] = [];
  for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
    for (const content of contents) {
      const start = performance.now();
      judge(content);
      if (round >= WARM_UPS) times.push((performance.now() - start) * 1000);
    }
  }
  times.sort((one, other) => one - other);
  return times[times.length >> 1] ?? Number.NaN;
}

function some<T>(items: readonly T[]): T[] {
  const every = Math.max(1, Math.floor(items.length / MAX_ITEMS));
  return items.filter((_, at) => at % every === 0);
}

function cut(text: string): string[] {
  return Array.from({ length: Math.min(LONG_TEXTS, Math.floor(text.length / LONG)) }, (_, at) =>
    text.slice(at * LONG, (at + 1) * LONG),
  );
}

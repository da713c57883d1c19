import { expect, test } from 'vitest';
import type { Row } from '../rows/row.ts';
import { ablateUrlModel } from './ablate-url-model.ts';
import { PLAIN_WORDS } from './word-bag.ts';

const CUTOFFS = { openphish: '2026-04' };
/** Without synthesized links, so that only the rows decide. */
const ROWS_ALONE = { hosted: 0, brandPages: 0, paths: 0, own: 0, brand: 0, blind: 0 };

/** Threats differ from benign links by their path alone; every third threat is of a month kept for testing. */
const ROWS: Row[] = PLAIN_WORDS.slice(0, 400).flatMap((word, at): Row[] => [
  {
    kind: 'url',
    file: 'urls',
    content: `https://${word}-${at % 7}.org/wqzx/kjvb`,
    threat: true,
    label: '1',
    source: 'openphish',
    date: at % 3 === 0 ? '2026-04-02' : '2026-03-02',
  },
  {
    kind: 'url',
    file: 'urls',
    content: `https://${word}${at % 7}-.org/news/city`.replace('-.', '.'),
    threat: false,
    label: '0',
    source: 'citizenlab',
  },
]);

test('what is left out costs recall if threats differ in nothing else', () => {
  const { rows } = ablateUrlModel(ROWS, {
    licence: 'any',
    seed: 1,
    cutoffs: CUTOFFS,
    recipe: ROWS_ALONE,
  });
  const recallOf = (title: string) => Number.parseFloat(rows.find(([each]) => each === title)?.[1] ?? 'NaN');
  expect(recallOf('nothing')).toBeGreaterThan(90);
  expect(recallOf('real threats')).toBeLessThan(10);
  expect(recallOf('groups of words')).toBeGreaterThan(90);
  expect(rows.find(([title]) => title === 'nothing')?.[2]).toBe('0.0 %');
});

import { loadShippedModels } from '@tps/detection/node';
import { expect, test } from 'vitest';
import { expandTemplates } from './corpus/expand-templates.ts';
import { evaluateModels } from './evaluate-models.ts';
import { loadRows } from './rows/load-rows.ts';
import { SOURCES } from './sources.ts';
import { isTextForTesting } from './text/text-row.ts';

const rows = await loadRows();

test('no text of the check set is learned from, not even with any licence', () => {
  expect(rows.length).toBeGreaterThan(500);
  for (const row of rows) {
    expect(SOURCES[row.source]?.heldOut, row.source).toBe(true);
    expect(isTextForTesting(row)).toBe(true);
  }
});

test('no text of the check set shares half of its content with the corpus', () => {
  const learned = new Set(expandTemplates(1).flatMap(({ content }) => stretchesOf(content)));
  expect(learned.size).toBeGreaterThan(10_000);
  for (const { content } of rows) {
    const stretches = stretchesOf(content);
    const shared = stretches.filter((stretch) => learned.has(stretch));
    expect(shared.length, content).toBeLessThanOrEqual(stretches.length / 2);
  }
});

test('without other rows only the check set is measured, and other figures are NaN', () => {
  const some = rows.filter((_, at) => at % 8 === 0);
  const { figures, tables } = evaluateModels(some, { models: loadShippedModels(), all: false });
  const measured = tables.flatMap(({ title, rows: lines }) =>
    title === 'Texts: benign by source' ? lines.map(([source]) => source) : [],
  );
  expect(measured).toEqual([
    'everyday',
    'everyday_call',
    'everyday_mail',
    'everyday_mail.newsletter',
    'everyday_other_languages',
    'everyday_sms',
  ]);
  expect(figures['text.everyday_sms.recall']).toBeGreaterThan(0);
  expect(figures['text.everyday_sms.recall_at_1pct']).toBeNaN();
});

/** Returns all sequences of eight words. Shorter sequences are common to all senders of a kind. */
function stretchesOf(content: string): string[] {
  const words = content.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.slice(7).map((_, at) => words.slice(at, at + 8).join(' '));
}

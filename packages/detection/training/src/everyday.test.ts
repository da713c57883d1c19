import { expect, test } from 'vitest';
import { loadShippedModels } from '#detection/node.ts';
import { evaluateModels } from './evaluate-models.ts';
import { loadRows } from './rows/load-rows.ts';
import { SOURCES } from './sources.ts';
import { isTextForTesting } from './text/text-row.ts';

const rows = await loadRows();

test('no text of the check set may be learnt from, not even by a service that allows any licence', () => {
  expect(rows.length).toBeGreaterThan(500);
  for (const row of rows) {
    expect(SOURCES[row.source]?.heldOut, row.source).toBe(true);
    expect(isTextForTesting(row)).toBe(true);
  }
});

test('without other rows the check set is measured, and what needs them is no number', () => {
  const some = rows.filter((_, at) => at % 8 === 0);
  const { figures, tables } = evaluateModels(some, { models: loadShippedModels(), all: false });
  const measured = tables.flatMap(({ title, rows: lines }) =>
    title === 'Texts: harmless by source' ? lines.map(([source]) => source) : [],
  );
  expect(measured).toEqual(['everyday_call', 'everyday_mail', 'everyday_other_languages', 'everyday_sms']);
  expect(figures['text.everyday_sms.recall']).toBeGreaterThan(0);
  expect(figures['text.everyday_sms.recall_at_1pct']).toBeNaN();
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REDACTION_MARKS } from '@tps/contract/vocabulary';
import { redactText } from '@tps/detection';
import { describe, expect, it } from 'vitest';
import { PLACEHOLDERS } from '../../../packages/detection/src/redaction/placeholder.ts';
import { BY_CONTEXT } from '../../../packages/detection/src/redaction/testing/numbers-by-context.ts';
import { WITH_CHECKSUMS } from '../../../packages/detection/src/redaction/testing/numbers-with-checksums.ts';
import { readExample } from '../../../packages/detection/src/redaction/testing/written-example.ts';
import { expandTemplates } from '../../../tools/training/src/corpus/expand-templates.ts';
import { loadRows } from '../../../tools/training/src/rows/load-rows.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/redaction.md'), 'utf8');
const [removed = '', kept = ''] = page.split('## What is not removed');

/** The words show that the others are health numbers and plates. */
const WRONG =
  /\[(?:iban|card|imei|mac|wallet|document|birth-date|user)\]|(?<!NHS number )\[national-id\]|(?<!plate )\[plate\]/;

/** The code of the last cells of each row of a table. */
function codeCells(section: string, cells: number): string[][] {
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').slice(-1 - cells, -1))
    .filter((row) => row.every((cell) => /^\s*`[^`]+`\s*$/.test(cell)))
    .map((row) => row.map((cell) => cell.trim().slice(1, -1)));
}

describe('the page about redaction', () => {
  const examples = codeCells(removed, 2);
  it.each(examples)('states what %s is sent as', (written, sent) => {
    expect(redactText(written ?? '')).toBe(sent);
  });

  const untouched = codeCells(kept, 1);
  it.each(untouched)('states that %s is sent as written', (written) => {
    expect(redactText(written ?? '')).toBe(written);
  });

  it('has an example for each kind of data', () => {
    expect([examples.length, untouched.length]).toEqual([21, 11]);
  });

  it('lists how many examples of each mark are replaced', () => {
    const rows = [...page.matchAll(/^\| `(\[[a-z-]+\])` +\| (\d+) +\| (\d+) +\|$/gm)];
    const stated = rows.map(([, mark = '', count, replaced]) => [mark, Number(count), Number(replaced)]);
    const marks = new Set([...Object.keys(WITH_CHECKSUMS), ...Object.keys(BY_CONTEXT)]);
    const measured = Array.from(marks, (mark) => {
      const texts = [...(WITH_CHECKSUMS[mark] ?? []), ...(BY_CONTEXT[mark] ?? [])];
      const examples = texts.map((text) => readExample(text, mark));
      const replaced = examples.filter(({ written, expected }) => redactText(written) === expected);
      return [mark, texts.length, replaced.length];
    });
    expect(stated).toEqual(measured);
  });

  it('states in how many honest texts a number is replaced that is not what its mark says', async () => {
    const rows = (await loadRows()).flatMap(({ threat, content }) => (threat ? [] : [String(content)]));
    const corpus = expandTemplates(1).flatMap(({ threat, content }) => (threat ? [] : [content]));
    const texts = [...rows, ...corpus];
    const wrong = texts.filter((text) => WRONG.test(redactText(text)));
    expect(wrong.length / texts.length).toBeLessThanOrEqual(0.005);
    const [, count, lost, share] =
      /Of ([\d,]+) honest texts of this project, (\d+) lost.*?\(([\d.]+) %\)/s.exec(page) ?? [];
    expect([count, lost, share]).toEqual([
      texts.length.toLocaleString('en'),
      String(wrong.length),
      ((100 * wrong.length) / texts.length).toFixed(2),
    ]);
  });
});

describe('the marks of redaction', () => {
  it('are those that the contract lists', () => {
    expect([...PLACEHOLDERS].sort()).toEqual(Object.keys(REDACTION_MARKS).sort());
  });
});

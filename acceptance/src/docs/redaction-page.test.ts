import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redactText } from '@tps/detection';
import { describe, expect, it } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../../../docs/redaction.md'), 'utf8');
const [removed = '', kept = ''] = page.split('## What is not removed');

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
    expect([examples.length, untouched.length]).toEqual([9, 9]);
  });
});

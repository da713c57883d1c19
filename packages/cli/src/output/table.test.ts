import { expect, test } from 'vitest';
import { createTestContext } from '../testing/test-context.ts';
import { createPalette } from './palette.ts';
import { type Column, fitWidths, layOut } from './table.ts';

const COLUMNS: readonly Column<string[]>[] = [
  { heading: 'ID', of: ([id = '']) => id },
  { heading: 'TITLE', of: ([, title = '']) => title, mayShrink: true },
];
const ROWS = [['thr_0123456789', 'A title that is far longer than the terminal has room for']];
const palette = createPalette(createTestContext().context.stdout, {});

test('a table fits the terminal, and ids are never cut off', () => {
  const widths = fitWidths(COLUMNS, ROWS, 40);
  const lines = layOut({ columns: COLUMNS, rows: ROWS, widths, palette, withHeadings: true })
    .trimEnd()
    .split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  expect(lines[0]).toMatch(/^ID +TITLE$/);
  expect(lines[1]).toMatch(/^thr_0123456789 {2}A title that .*…$/);
});

test('without a terminal nothing is cut off', () => {
  const widths = fitWidths(COLUMNS, ROWS);
  expect(layOut({ columns: COLUMNS, rows: ROWS, widths, palette, withHeadings: false })).toBe(
    `${ROWS[0]?.join('  ')}\n`,
  );
});

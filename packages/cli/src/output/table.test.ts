import { stripVTControlCharacters } from 'node:util';
import { createTestContext } from '@tps/testing/tps';
import { expect, test } from 'vitest';
import { createPalette } from './palette.ts';
import { type Column, fitWidths, layOut } from './table.ts';

const COLUMNS: readonly Column<string[]>[] = [
  { heading: 'ID', of: ([id = '']) => id },
  { heading: 'TITLE', of: ([, title = '']) => title, mayShrink: true },
];
const ROWS = [['thr_0123456789', 'A title that is far longer than the terminal has room for']];
const palette = createPalette(createTestContext().context.stdout, {});

test('a table fits the terminal, and ids are never truncated', () => {
  const widths = fitWidths(COLUMNS, ROWS, 40);
  const lines = layOut({ columns: COLUMNS, rows: ROWS, widths, palette, withHeadings: true })
    .trimEnd()
    .split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  expect(lines[0]).toMatch(/^ID +TITLE$/);
  expect(lines[1]).toMatch(/^thr_0123456789 {2}A title that .*…$/);
});

test('a column that may not shrink is whole on any terminal', () => {
  expect(fitWidths(COLUMNS, ROWS, 20)[0]).toBe('thr_0123456789'.length + 2);
  expect(fitWidths(COLUMNS, [['thr_0123456789_and_more', 'short']], 20)[0]).toBe(
    'thr_0123456789_and_more'.length + 2,
  );
});

test('without a terminal nothing is truncated', () => {
  const widths = fitWidths(COLUMNS, ROWS);
  expect(layOut({ columns: COLUMNS, rows: ROWS, widths, palette, withHeadings: false })).toBe(
    `${ROWS[0]?.join('  ')}\n`,
  );
});

test('colors are used on a terminal without NO_COLOR and do not change widths', () => {
  const columns = [{ heading: 'SEVERITY', of: () => 'critical', isState: true as const }, ...COLUMNS];
  const rows = [['critical', ...(ROWS[0] ?? [])]];
  const lay = (terminal: number | undefined, env: Record<string, string>) => {
    const { stdout } = createTestContext(terminal === undefined ? {} : { terminal }).context;
    const widths = fitWidths(columns, rows, 40);
    return layOut({ columns, rows, widths, palette: createPalette(stdout, env), withHeadings: false });
  };
  const plain = lay(undefined, {});
  expect(plain).not.toContain('\u001b');
  expect(lay(80, { NO_COLOR: '1' })).toBe(plain);
  const coloured = lay(80, {});
  expect(coloured).toContain('\u001b[31mcritical');
  expect(stripVTControlCharacters(coloured)).toBe(plain);
});

test('without a terminal, wide characters are not truncated either', () => {
  for (const text of ['受付タブレット', '📞📞 Empfang ☎️', 'é'.repeat(9), '1️⃣ ©']) {
    const columns = [{ heading: 'A', of: () => text }];
    const widths = fitWidths(columns, [[text]]);
    expect(layOut({ columns, rows: [[text]], widths, palette, withHeadings: false })).toBe(`${text}\n`);
  }
});

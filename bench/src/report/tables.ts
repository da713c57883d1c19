import { FIGURES, type Figure, type SampleRecorder } from '../figures.ts';
import type { TargetResult } from './targets.ts';

/** Lines of cells, headings first. */
export type Table = readonly (readonly string[])[];

/** Returns the medians of all rows. A figure that no row has gets no column. */
export function toRowTable(recorder: SampleRecorder): Table {
  const rows = recorder.rows();
  const figures = (Object.keys(FIGURES) as Figure[]).filter((figure) =>
    rows.some((row) => recorder.median(row, figure) !== undefined),
  );
  const toCell = (row: string, figure: Figure) => {
    const { digits } = FIGURES[figure];
    const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return recorder.median(row, figure)?.toLocaleString('en', format) ?? '';
  };
  return [
    ['', ...figures.map((figure) => FIGURES[figure].title)],
    ...rows.map((row) => [row, ...figures.map((figure) => toCell(row, figure))]),
  ];
}

export function toTargetTable(targets: readonly TargetResult[]): Table {
  const lines = targets.map(({ title, wanted, measured, isReached }) => {
    return [title, wanted, measured, isReached ? 'pass' : 'MISS'];
  });
  return [['target', 'wanted', 'measured', ''], ...lines];
}

/** Lays a table out for a terminal. */
export function toPlainText(table: Table): string {
  return toColumns(table)
    .map((cells) => cells.join('  ').trimEnd())
    .join('\n');
}

/** Lays a table out as Biome formats it. */
export function toMarkdown(table: Table): string {
  const [headings = [], ...rows] = toColumns(table, 4);
  const rule = headings.map(({ length }, at) => (at > 0 ? ':'.padStart(length, '-') : '-'.repeat(length)));
  return [headings, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Pads all cells of a column to the same width: the first column to the left, the others to the right. */
function toColumns(table: Table, minWidth = 0): string[][] {
  const [headings = []] = table;
  const widths = headings.map((_, at) => Math.max(minWidth, ...table.map((cells) => cells[at]?.length ?? 0)));
  return table.map((cells) =>
    cells.map((cell, at) => (at > 0 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0))),
  );
}

import type { Evaluation, Table } from './evaluation.ts';
import { timeTable } from './measure-times.ts';

const MAX_LINE_LENGTH = 100;

/** Formats an evaluation as Markdown, with the time per item at the end. */
export function formatEvaluation({ tables, microseconds }: Evaluation): string {
  return formatTables([...tables, timeTable(microseconds)], 2);
}

/** Formats the tables that have rows, under headings of a level. */
export function formatTables(tables: readonly Table[], level: number): string {
  return tables
    .filter(({ rows }) => rows.length > 0)
    .map(({ title, head, rows, note }) =>
      [
        `${'#'.repeat(level)} ${title}`,
        formatTable(head, rows),
        ...(note === undefined ? [] : [wrapText(note)]),
      ].join('\n\n'),
    )
    .join('\n\n');
}

/** Formats rows as a Markdown table, with the first column aligned left and the others right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const toLine = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => pad(cells[column] ?? '', width, column)).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [toLine(head), rule, ...rows.map(toLine)].join('\n');
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

/** Wraps the paragraphs and list items of a Markdown text. */
export function wrapText(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) =>
      paragraph
        .split(/\n(?=- )/)
        .map(wrapItem)
        .join('\n'),
    )
    .join('\n\n');
}

function wrapItem(item: string): string {
  const indent = item.startsWith('- ') ? '  ' : '';
  const lines: string[] = [];
  let line = '';
  for (const word of item.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > MAX_LINE_LENGTH) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

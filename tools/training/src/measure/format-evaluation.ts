import type { Evaluation, Table } from './evaluation.ts';
import { formatTable } from './format-table.ts';

/** Writes an evaluation as Markdown, with the time per item at the end. */
export function formatEvaluation({ tables, microseconds }: Evaluation): string {
  const times = Object.entries(microseconds).map(([item, time]) => [item, time.toFixed(1)]);
  const all = [...tables, { title: 'Time', head: ['per item', 'µs'], rows: times }];
  return formatTables(
    all.filter(({ rows }) => rows.length > 0),
    2,
  );
}

/** Writes tables under headings of a level. */
export function formatTables(tables: readonly Table[], level: number): string {
  return tables
    .map(({ title, head, rows, note }) =>
      [`${'#'.repeat(level)} ${title}`, formatTable(head, rows), ...(note === undefined ? [] : [note])].join(
        '\n\n',
      ),
    )
    .join('\n\n');
}

import type { Figure, Recorder } from '../recorder.ts';
import type { TargetResult } from './judge.ts';

type Column = { readonly title: string; readonly figure: Figure; readonly digits: number };

const COLUMNS: readonly Column[] = [
  { title: 'requests/s', figure: 'requestsPerSecond', digits: 0 },
  { title: 'events/s', figure: 'eventsPerSecond', digits: 0 },
  { title: 'deliveries/s', figure: 'deliveriesPerSecond', digits: 0 },
  { title: 'p50 ms', figure: 'p50Ms', digits: 2 },
  { title: 'p99 ms', figure: 'p99Ms', digits: 2 },
  { title: 'server ms', figure: 'serverMs', digits: 2 },
  { title: 'server cores', figure: 'serverCores', digits: 2 },
  { title: 'store cores', figure: 'storeCores', digits: 2 },
  { title: 'client cores', figure: 'clientCores', digits: 2 },
  { title: 'receiver cores', figure: 'receiverCores', digits: 2 },
  { title: 'CPU µs each', figure: 'deliveryCpuMicros', digits: 0 },
  { title: 'longest pause ms', figure: 'longestPauseMs', digits: 0 },
  { title: 'memory MiB', figure: 'peakMiB', digits: 0 },
  { title: 'MiB after 1/5', figure: 'earlyMiB', digits: 0 },
  { title: 'MiB at the end', figure: 'lateMiB', digits: 0 },
  { title: 'heap MiB', figure: 'heapGrowthMiB', digits: 1 },
  { title: 'resident MiB', figure: 'residentGrowthMiB', digits: 1 },
  { title: 'bytes each', figure: 'bytesEach', digits: 0 },
  { title: 'ready ms', figure: 'readyMs', digits: 0 },
];

/** The table of all rows, headings first: medians over the rounds. A figure that no row has gets no column. */
export function toRowTable(recorder: Recorder): string[][] {
  const rows = recorder.rows();
  const columns = COLUMNS.filter(({ figure }) =>
    rows.some((row) => recorder.median(row, figure) !== undefined),
  );
  return [
    ['', ...columns.map(({ title }) => title)],
    ...rows.map((row) => [
      row,
      ...columns.map(({ figure, digits }) => toText(recorder.median(row, figure), digits)),
    ]),
  ];
}

/** The table of all targets, headings first. */
export function toTargetTable(targets: readonly TargetResult[]): string[][] {
  return [
    ['target', 'wanted', 'measured', ''],
    ...targets.map(({ title, wanted, measured, isReached }) => [
      title,
      wanted,
      measured,
      isReached ? 'pass' : 'MISS',
    ]),
  ];
}

/** Lays a table out for a terminal: the first column to the left, numbers to the right. */
export function toPlainText(table: readonly (readonly string[])[]): string {
  const widths = widthsOf(table);
  return table
    .map((cells) =>
      cells
        .map((cell, at) => pad(cell, widths[at] ?? 0, at > 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function toMarkdown(table: readonly (readonly string[])[]): string {
  const [headings = [], ...rows] = table;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map((_, at) => (at > 0 ? '---:' : '---'))), ...rows.map(line)].join(
    '\n',
  );
}

function toText(value: number | undefined, digits: number): string {
  if (value === undefined) return '';
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function widthsOf(table: readonly (readonly string[])[]): number[] {
  const [headings = []] = table;
  return headings.map((_, at) => Math.max(...table.map((cells) => cells[at]?.length ?? 0)));
}

function pad(cell: string, width: number, isNumber: boolean): string {
  return isNumber ? cell.padStart(width) : cell.padEnd(width);
}

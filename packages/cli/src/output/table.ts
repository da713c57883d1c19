import Table from 'cli-table3';
import { type Palette, paintState } from './palette.ts';

/** One column of a list. */
export interface Column<Item> {
  readonly heading: string;
  /** Text of the cell. It is sanitized when it is printed. */
  readonly of: (item: Item) => string;
  /** The column may be truncated on a narrow terminal. Other columns are always whole, so that ids can be copied. */
  readonly mayShrink?: boolean;
  /** The cell is a severity or a status, which is colored. */
  readonly isState?: true;
}

const GAP = 2;
const MIN_WIDTH = 12;

const BORDER_PARTS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid middle';
const BORDERLESS = Object.fromEntries(BORDER_PARTS.split(' ').map((part) => [part, '']));

/** Returns the width of each column for these rows. Columns that may shrink give way to fit the terminal. */
export function fitWidths<Item>(
  columns: readonly Column<Item>[],
  rows: readonly (readonly string[])[],
  available = Number.POSITIVE_INFINITY,
): number[] {
  const widths = columns.map(
    ({ heading }, index) => Math.max(heading.length, ...rows.map((row) => widthOf(row[index] ?? ''))) + GAP,
  );
  let excess = widths.reduce((sum, width) => sum + width, 0) - GAP - available;
  while (excess > 0) {
    const widest = columns.reduce<number | undefined>((found, { mayShrink }, index) => {
      const width = widths[index] ?? 0;
      if (!mayShrink || width <= MIN_WIDTH + GAP) return found;
      return found === undefined || width > (widths[found] ?? 0) ? index : found;
    }, undefined);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

/** All wide characters and some others: a column that is too narrow would be truncated. */
const WIDE = /[\u{1100}-\u{10ffff}]|\p{Extended_Pictographic}/gu;

/** Returns the maximum number of terminal cells that a text takes. */
function widthOf(text: string): number {
  return Array.from(text.replace(WIDE, 'xx')).length;
}

/** Widens the columns that must not be truncated for later rows; all columns when the output is not a terminal. */
export function widen<Item>(
  widths: readonly number[],
  columns: readonly Column<Item>[],
  {
    rows,
    available,
  }: { readonly rows: readonly (readonly string[])[]; readonly available: number | undefined },
): number[] {
  const needed = fitWidths(columns, rows);
  return widths.map((width, index) => {
    const mayCut = available !== undefined && columns[index]?.mayShrink;
    return mayCut ? width : Math.max(width, needed[index] ?? 0);
  });
}

/** Renders rows in columns of these widths, without borders. */
export function layOut<Item>(options: {
  readonly columns: readonly Column<Item>[];
  readonly rows: readonly (readonly string[])[];
  readonly widths: readonly number[];
  readonly palette: Palette;
  readonly withHeadings: boolean;
}): string {
  const { columns, rows, widths, palette, withHeadings } = options;
  const table = new Table({
    chars: BORDERLESS,
    style: { 'padding-left': 0, 'padding-right': GAP, head: [], border: [] },
    colWidths: [...widths],
    truncate: '…',
  });
  if (withHeadings) table.push(columns.map(({ heading }) => palette.dim(heading)));
  for (const row of rows) {
    table.push(
      columns.map(({ isState }, index) =>
        isState ? paintState(palette, row[index] ?? '') : (row[index] ?? ''),
      ),
    );
  }
  return table
    .toString()
    .split('\n')
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

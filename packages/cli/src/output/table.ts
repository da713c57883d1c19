import Table from 'cli-table3';
import { type Palette, paintState } from './palette.ts';

/** One column of a list. */
export interface Column<Item> {
  readonly heading: string;
  /** Its text; what others wrote is made harmless here, not by each column. */
  readonly of: (item: Item) => string;
  /** Gives way where the terminal is narrow. Without it the column is shown whole, so that ids can be copied. */
  readonly mayShrink?: boolean;
  /** It says how grave something is or how it stands, in a word that is coloured by that. */
  readonly isState?: true;
}

const GAP = 2;
const MIN_WIDTH = 12;

const BORDERLESS = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((name) => [name, '']),
);

/** Finds how wide each column must be for these rows, and takes from those that may shrink what does not fit. */
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

/** What is wide for sure, and a little more: a column that is too narrow would be cut off. */
const WIDE = /[\u{1100}-\u{10ffff}]|\p{Extended_Pictographic}/gu;

/** Gives how many places of a terminal a text takes at most. */
function widthOf(text: string): number {
  return Array.from(text.replace(WIDE, 'xx')).length;
}

/** Makes room for later rows in the columns that must not be cut off, which on no terminal are all. */
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

/** Lays out rows in columns of these widths, without lines around them. */
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

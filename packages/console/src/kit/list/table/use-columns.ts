import {
  type ColumnSizingState,
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  metaHelper,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useEffect, useMemo, useState } from 'react';
import { readKept, writeKept } from '../kept.ts';
import type { ColumnDefinition, ListDefinition } from '../list-definition.ts';

const features = tableFeatures({
  columnSizingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
  columnOrderingFeature,
  columnMeta: metaHelper<{ readonly index: number }>(),
});

/** Rows are not in the table: they are read page by page, and it would build each of 100,000 again after every page. */
const NO_ROWS: never[] = [];

const MIN_WIDTH = 64;

/** A column that is shown, with its width. */
export interface ShownColumn<Item> {
  readonly definition: ColumnDefinition<Item>;
  readonly width: number;
  /** Begins a change of the width by pointer. */
  readonly onResizeStart: (event: unknown) => void;
  readonly isResizing: boolean;
}

export interface Columns<Item> {
  readonly shown: readonly ShownColumn<Item>[];
  /** The shown columns in their order. The same array while only widths change, so that no row is rendered for these. */
  readonly definitions: readonly ColumnDefinition<Item>[];
  readonly setWidth: (id: string, width: number) => void;
  readonly resetWidths: () => void;
}

/** Lays out the columns of a list: which are visible (`visible`, otherwise those of the list), and how wide they are. */
export function useColumns<Item>(
  list: ListDefinition<Item>,
  visible: readonly string[] | undefined,
): Columns<Item> {
  const key = `${list.queryKey}:widths`;
  const [columnSizing, setColumnSizing] = useState<ColumnSizingState>(() => readKept(key) ?? {});
  const columns = useMemo(
    () =>
      list.columns.map(({ id, header, width }, index) => ({
        id,
        header,
        size: width,
        minSize: MIN_WIDTH,
        meta: { index },
        accessorFn: () => undefined,
      })),
    [list],
  );
  const order = useMemo(() => visible ?? defaultColumns(list.columns), [visible, list]);
  const columnOrder = useMemo(() => [...order], [order]);
  const columnVisibility = useMemo(
    () => Object.fromEntries(list.columns.map(({ id }) => [id, order.includes(id)])),
    [list, order],
  );
  const table = useTable({
    features,
    columns,
    data: NO_ROWS,
    columnResizeMode: 'onChange',
    state: { columnSizing, columnOrder, columnVisibility },
    onColumnSizingChange: setColumnSizing,
  });
  const resizing = table.state.columnResizing.isResizingColumn;
  useEffect(() => {
    if (resizing === false) writeKept(key, columnSizing);
  }, [key, columnSizing, resizing]);
  const definitions = useMemo(
    () => order.flatMap((id) => list.columns.filter((column) => column.id === id)),
    [order, list],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the table returns depends on its state.
  return useMemo(() => {
    const headers = table.getHeaderGroups()[0]?.headers ?? [];
    const shown = headers.flatMap((header) => {
      const definition = list.columns.find(({ id }) => id === header.column.id);
      if (!definition) return [];
      return [
        {
          definition,
          width: header.column.getSize(),
          onResizeStart: header.getResizeHandler(),
          isResizing: header.column.getIsResizing(),
        },
      ];
    });
    return {
      shown,
      definitions,
      setWidth: (id, width) => setColumnSizing((now) => ({ ...now, [id]: Math.max(MIN_WIDTH, width) })),
      resetWidths: () => setColumnSizing({}),
    };
  }, [list, definitions, columnSizing, columnOrder, columnVisibility, resizing]);
}

/** Returns the ids of the columns that a list shows unless the reader chooses others. */
export function defaultColumns<Item>(columns: readonly ColumnDefinition<Item>[]): readonly string[] {
  return columns.filter(({ hiddenByDefault }) => hiddenByDefault !== true).map(({ id }) => id);
}

/** The least that a growing column keeps beside an open item. */
const MIN_GROWING = 300;

/** Returns the first columns that fit into a width: all of them without one. There is at least one. */
export function fittingColumns<Item>(columns: Columns<Item>, widthPx: number | undefined): Columns<Item> {
  if (widthPx === undefined) return columns;
  let left = widthPx;
  const shown = columns.shown
    .map((column) =>
      column.definition.grows ? { ...column, width: Math.min(column.width, MIN_GROWING) } : column,
    )
    .filter((column, index) => {
      left -= column.width;
      return index === 0 || left >= 0;
    });
  return { ...columns, shown, definitions: columns.definitions.slice(0, shown.length) };
}

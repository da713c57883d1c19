import { useCallback, useMemo, useRef, useState } from 'react';

/** The row and the cell that keys act on. */
export interface Cursor {
  /** -1 before the reader has chosen one. */
  readonly index: number;
  readonly column: number;
  /** Grows with each move by a key, which takes the focus along. */
  readonly moves: number;
  readonly move: (rows: number) => void;
  readonly moveTo: (index: number) => void;
  readonly moveColumn: (columns: number) => void;
  /** Follows a focus that the pointer or Tab has set. */
  readonly focus: (index: number, column: number | undefined) => void;
}

/**
 * Keeps the cursor on its item while rows come and go. When its item leaves the list, the cursor stays in its place: at the
 * next item.
 */
export function useCursor<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  columnCount: number,
): Cursor {
  const [at, setAt] = useState({ id: '', index: -1, column: 0, moves: 0 });
  const index = useMemo(() => locate(items, idOf, at), [items, idOf, at]);
  const latest = useRef({ items, idOf, columnCount, index });
  latest.current = { items, idOf, columnCount, index };

  const goTo = useCallback((wanted: number, column: number | undefined, isMove: boolean) => {
    setAt((now) => {
      const { items: all, idOf: toId, columnCount: count } = latest.current;
      const next = clamp(wanted, all.length);
      const item = all[next];
      const id = item === undefined ? '' : toId(item);
      const nextColumn = clamp(column ?? now.column, count);
      if (!isMove && now.id === id && now.column === nextColumn) return now;
      return { id, index: next, column: nextColumn, moves: now.moves + (isMove ? 1 : 0) };
    });
  }, []);
  return useMemo(
    () => ({
      index,
      column: Math.max(0, Math.min(at.column, columnCount - 1)),
      moves: at.moves,
      move: (rows) => goTo(latest.current.index + rows, undefined, true),
      moveTo: (row) => goTo(row, undefined, true),
      moveColumn: (columns) => goTo(latest.current.index, at.column + columns, true),
      focus: (row, column) => goTo(row, column, false),
    }),
    [index, at.column, at.moves, columnCount, goTo],
  );
}

function locate<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  at: { readonly id: string; readonly index: number },
): number {
  if (at.index < 0) return -1;
  const item = items[at.index];
  if (item !== undefined && idOf(item) === at.id) return at.index;
  const found = items.findIndex((one) => idOf(one) === at.id);
  return found >= 0 ? found : Math.min(at.index, items.length - 1);
}

function clamp(value: number, count: number): number {
  return Math.max(0, Math.min(value, count - 1));
}

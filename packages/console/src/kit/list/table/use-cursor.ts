import { useCallback, useMemo, useRef, useState } from 'react';

/** The row and the cell that keys act on. */
export interface Cursor {
  /** -1 before the reader has chosen one. */
  readonly index: number;
  readonly column: number;
  /** The row after all keys that were pressed, also those that are not rendered yet. */
  readonly current: () => number;
  /** Grows with each move by a key. */
  readonly moves: number;
  /** Whether the last move takes the focus along. */
  readonly takesFocus: boolean;
  /** Moves by rows. Without `takesFocus`, the focus stays where it is. Returns the new row. */
  readonly move: (rows: number, takesFocus?: boolean) => number;
  readonly moveColumn: (columns: number) => void;
  /** Takes the focus back to the cell. */
  readonly takeFocus: () => void;
  /** Follows a focus that the pointer or Tab has set. */
  readonly focus: (index: number, column: number | undefined) => void;
}

interface Place {
  readonly id: string;
  readonly index: number;
  readonly column: number;
  readonly moves: number;
  readonly takesFocus: boolean;
}

const NOWHERE: Place = { id: '', index: -1, column: 0, moves: 0, takesFocus: false };

/**
 * Keeps the cursor on its item while rows come and go. When its item leaves the list, the cursor stays in its place: at the
 * next item.
 */
export function useCursor<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  columnCount: number,
): Cursor {
  const [place, setPlace] = useState(NOWHERE);
  const index = useMemo(() => locate(items, idOf, place), [items, idOf, place]);
  const latest = useRef({ items, idOf, columnCount, index });
  latest.current = { items, idOf, columnCount, index };

  const goTo = useCallback((wanted: number, column: number, move: Partial<Place>) => {
    const { items: all, idOf: toId, columnCount: count } = latest.current;
    const next = clamp(wanted, all.length);
    const item = all[next];
    const id = item === undefined ? '' : toId(item);
    setPlace((now) => {
      const place = { ...now, id, index: next, column: clamp(column, count), ...move };
      return move.takesFocus === undefined && now.id === id && now.column === place.column
        ? now
        : { ...place, moves: now.moves + (move.takesFocus === undefined ? 0 : 1) };
    });
    latest.current = { ...latest.current, index: next };
    return next;
  }, []);
  const column = clamp(place.column, columnCount);
  return useMemo(
    () => ({
      index,
      column,
      current: () => latest.current.index,
      moves: place.moves,
      takesFocus: place.takesFocus,
      move: (rows, takesFocus = true) => goTo(latest.current.index + rows, column, { takesFocus }),
      moveColumn: (columns) => goTo(latest.current.index, column + columns, { takesFocus: true }),
      takeFocus: () => goTo(latest.current.index, column, { takesFocus: true }),
      focus: (row, at) => goTo(row, at ?? column, {}),
    }),
    [index, column, place.moves, place.takesFocus, goTo],
  );
}

/** Returns the row of an item: where it was, where it moved to, or, when it has left, what took its place. */
export function locate<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  { index, id }: { readonly index: number; readonly id: string },
): number {
  if (index < 0) return -1;
  const item = items[index];
  if (item !== undefined && idOf(item) === id) return index;
  const found = items.findIndex((one) => idOf(one) === id);
  return found >= 0 ? found : Math.min(index, items.length - 1);
}

function clamp(value: number, count: number): number {
  return Math.max(0, Math.min(value, count - 1));
}

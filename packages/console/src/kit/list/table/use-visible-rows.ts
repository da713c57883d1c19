import { type Range, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect } from 'react';
import type { PlacedRow } from './row-slots.ts';
import { useRowSlots } from './use-row-slots.ts';

const OVERSCAN_ROWS = 5;

interface VisibleRowsOptions {
  readonly scroller: HTMLElement | null;
  readonly rowHeight: number;
  /** The rows of the list. */
  readonly count: number;
  /** The id of the item of a row. */
  readonly idAt: (index: number) => string;
  /** The row of the cursor, which stays in the document with the focus; -1 without one. */
  readonly active: number;
  /** Called with the rows on the screen. */
  readonly onWindow: (first: number, last: number) => void;
}

/** Returns the rows to have in the document, and the height of all. */
export function useVisibleRows({ scroller, rowHeight, count, idAt, active, onWindow }: VisibleRowsOptions): {
  readonly rows: readonly PlacedRow[];
  readonly heightPx: number;
} {
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    // Created once per height: with another function, the places of all rows are computed again.
    estimateSize: useCallback(() => rowHeight, [rowHeight]),
    overscan: OVERSCAN_ROWS,
    useFlushSync: false,
    rangeExtractor: (range) => rowsAround(range, active),
  });
  useEffect(() => {
    if (rowHeight > 0) virtualizer.measure();
  }, [virtualizer, rowHeight]);
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  useEffect(() => onWindow(startIndex, endIndex), [onWindow, startIndex, endIndex]);
  const rows = useRowSlots(virtualizer.getVirtualIndexes(), { idAt, count });
  return { rows, heightPx: virtualizer.getTotalSize() };
}

/** Returns the rows around the screen, those first that the reader sees first. */
function rowsAround({ startIndex, endIndex, overscan, count }: Range, active: number): number[] {
  const rows = new Set(active >= 0 && active < count ? [active] : []);
  for (let index = startIndex; index <= endIndex; index += 1) rows.add(index);
  for (let step = 1; step <= overscan; step += 1) {
    if (endIndex + step < count) rows.add(endIndex + step);
    if (startIndex >= step) rows.add(startIndex - step);
  }
  return [...rows];
}

import { useLayoutEffect, useRef } from 'react';

/** How far a row can move between two renders and still be found. */
const SEARCH_ROWS = 5_000;

interface Position<Item> {
  readonly scroller: HTMLElement | null;
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  readonly rowHeight: number;
}

/** Keeps the rows on the screen where they are when rows are added or removed above them. At the top, new rows are shown. */
export function useKeptPosition<Item>({ scroller, items, idOf, rowHeight }: Position<Item>): void {
  const before = useRef<{ readonly items: readonly Item[] }>({ items });
  useLayoutEffect(() => {
    const old = before.current.items;
    before.current = { items };
    // Rows after the last one move nothing; reading the position would lay out the page at once.
    const isAppended = old[0] === items[0] && old.at(-1) === items[old.length - 1];
    if (!scroller || isAppended || scroller.scrollTop <= 0) return;
    const first = Math.floor(scroller.scrollTop / rowHeight);
    const moved = rowsMoved(old, items, { first, idOf });
    if (moved !== 0) scroller.scrollTop += moved * rowHeight;
  }, [scroller, items, idOf, rowHeight]);
}

interface FirstRow<Item> {
  readonly first: number;
  readonly idOf: (item: Item) => string;
}

/** Returns by how many rows the first row on the screen moved; 0 when it cannot be found. */
export function rowsMoved<Item>(
  old: readonly Item[],
  items: readonly Item[],
  { first, idOf }: FirstRow<Item>,
): number {
  const anchor = old[first];
  if (anchor === undefined || anchor === items[first]) return 0;
  const id = idOf(anchor);
  for (let distance = 0; distance <= SEARCH_ROWS; distance += 1) {
    for (const index of [first + distance, first - distance]) {
      const item = items[index];
      if (item !== undefined && idOf(item) === id) return index - first;
    }
  }
  return 0;
}

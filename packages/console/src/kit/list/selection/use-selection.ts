import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { BulkTarget, ListQuery } from '../list-definition.ts';

/** What is selected: items one by one, or everything that matched at one moment. */
export type SelectedItems =
  | { readonly kind: 'ids'; readonly ids: ReadonlySet<string> }
  | {
      readonly kind: 'all';
      readonly filter: ListQuery;
      readonly count: number;
      readonly isComplete: boolean;
    };

export interface Selection {
  readonly selected: SelectedItems;
  /** How many items are selected; a lower bound unless `isExact`. */
  readonly count: number;
  readonly isExact: boolean;
  readonly has: (id: string) => boolean;
  /** Selects one item or clears it; with a range, all from the last one that was toggled. */
  readonly toggle: (index: number, isRange: boolean) => void;
  /** Selects all items that are loaded, or clears the selection. */
  readonly toggleLoaded: () => void;
  readonly selectAll: (all: Extract<SelectedItems, { kind: 'all' }>) => void;
  readonly clear: () => void;
}

const NOTHING: SelectedItems = { kind: 'ids', ids: new Set() };

/** Keeps the selection of a list. It ends when the filters change. */
export function useSelection<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  query: ListQuery,
): Selection {
  const [selected, setSelected] = useState<SelectedItems>(NOTHING);
  const anchor = useRef(-1);
  const latest = useRef({ items, idOf });
  latest.current = { items, idOf };
  const key = JSON.stringify(query);
  const lastKey = useRef(key);
  useEffect(() => {
    if (lastKey.current !== key) setSelected(NOTHING);
    lastKey.current = key;
  }, [key]);

  const toggle = useCallback((index: number, isRange: boolean) => {
    const { items: all, idOf: toId } = latest.current;
    const from = isRange ? anchor.current : -1;
    setSelected((now) => {
      const ids = new Set(now.kind === 'ids' ? now.ids : all.map(toId));
      return {
        kind: 'ids',
        ids: withToggled(ids, all.map(toId), { index, from }),
      };
    });
    anchor.current = index;
  }, []);
  const toggleLoaded = useCallback(() => {
    setSelected((now) => {
      if (now.kind === 'all' || now.ids.size > 0) return NOTHING;
      return { kind: 'ids', ids: new Set(latest.current.items.map(latest.current.idOf)) };
    });
  }, []);
  return useMemo(
    () => ({
      selected,
      count: selected.kind === 'all' ? selected.count : selected.ids.size,
      isExact: selected.kind === 'ids' || selected.isComplete,
      has: (id) => selected.kind === 'all' || selected.ids.has(id),
      toggle,
      toggleLoaded,
      selectAll: setSelected,
      clear: () => setSelected(NOTHING),
    }),
    [selected, toggle, toggleLoaded],
  );
}

/** Returns the target of a bulk change; undefined when nothing is selected. */
export function targetOf(selected: SelectedItems): BulkTarget | undefined {
  if (selected.kind === 'all') return { filter: selected.filter };
  return selected.ids.size === 0 ? undefined : { ids: [...selected.ids] };
}

interface Toggle {
  readonly index: number;
  /** The other end of a range; -1 without one. */
  readonly from: number;
}

/** Returns a selection in which an item is toggled, or a range added. */
export function withToggled(
  ids: ReadonlySet<string>,
  all: readonly string[],
  { index, from }: Toggle,
): ReadonlySet<string> {
  const next = new Set(ids);
  if (from >= 0) {
    const [start, end] = from < index ? [from, index] : [index, from];
    for (const id of all.slice(start, end + 1)) next.add(id);
    return next;
  }
  const id = all[index];
  if (id !== undefined && !next.delete(id)) next.add(id);
  return next;
}

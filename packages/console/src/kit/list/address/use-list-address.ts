import { useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useSession } from '../../../session/index.ts';
import { withTimes } from '../filters/time-range.ts';
import { readKept, writeKept } from '../kept.ts';
import type { ListDefinition, ListQuery } from '../list-definition.ts';
import {
  type FilterChange,
  keptOf,
  type ListState,
  readListState,
  withFilters,
  withoutList,
} from './list-address.ts';

export interface ListAddress extends ListState {
  readonly search: ListQuery;
  readonly setFilters: (change: FilterChange) => void;
  /** Sets members of the address; undefined removes them. A step that the back button should undo is pushed. */
  readonly set: (change: FilterChange, options?: { readonly push?: boolean }) => void;
  /** Removes filters, order and columns. */
  readonly reset: () => void;
}

/** Keeps the state of a list in the address, and its filters for the next visit. */
export function useListAddress<Item>(definition: ListDefinition<Item>): ListAddress {
  const router = useRouter();
  const { tenant } = useSession();
  const search = useSearch({ strict: false }) as ListQuery;
  const state = useMemo(() => readListState(definition, search), [definition, search]);
  const asked = JSON.stringify(state.query);
  // Times that move with the clock stand still until the filters change.
  const query = useMemo(
    () => withTimes(definition.filters, JSON.parse(asked) as ListQuery, Date.now()),
    [definition, asked],
  );
  const key = `${tenant.id}:${definition.queryKey}:filters`;

  const go = useCallback(
    (next: (search: ListQuery) => ListQuery, replace: boolean) => {
      router.navigate({ to: '.', search: next as never, replace, resetScroll: false });
    },
    [router],
  );

  // Only on arrival: later, an address without filters is what the reader asked for.
  const isBareOnArrival = useRef(state.isBare);
  useEffect(() => {
    const kept = readKept<ListQuery>(key);
    if (isBareOnArrival.current && kept && Object.keys(kept).length > 0)
      go((now) => ({ ...now, ...kept }), true);
    isBareOnArrival.current = false;
  }, [key, go]);

  const write = useCallback(
    (next: (search: ListQuery) => ListQuery, replace = false) => {
      go((now) => {
        const result = next(now);
        writeKept(key, keptOf(definition, result));
        return result;
      }, replace);
    },
    [go, key, definition],
  );
  return useMemo(
    () => ({
      ...state,
      query,
      search,
      setFilters: (change) => write((now) => withFilters(definition, now, change)),
      set: (change, options) => write((now) => defined({ ...now, ...change }), options?.push !== true),
      reset: () => write((now) => withoutList(definition, now)),
    }),
    [state, query, search, write, definition],
  );
}

function defined(values: FilterChange): ListQuery {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

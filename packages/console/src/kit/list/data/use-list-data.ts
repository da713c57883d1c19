import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Client, Page } from '@tps/client';
import { useCallback, useMemo, useRef } from 'react';
import { useClient } from '../../../session/index.ts';
import type { ListDefinition, ListQuery } from '../list-definition.ts';
import { mergePage } from './merge-page.ts';

/** How often an open list looks for new and changed items, and counts them. */
export const SYNC_MS = 15_000;

/** How long a list that was left is kept, so that the way back finds it as it was. */
const KEEP_MS = 60_000;

const DEFAULT_PAGE_SIZE = 100;

type Pages<Item> = InfiniteData<Page<Item>, string | null>;

export interface ListData<Item> {
  readonly items: readonly Item[];
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
  /** How many items arrived since the list was read. */
  readonly newCount: number;
  /** Whether there may be more new items than `newCount`. */
  readonly isNewCountOpen: boolean;
  /** Reads the list from its beginning. */
  readonly showNew: () => void;
  /** Says which items are on the screen: those are read again. */
  readonly setWindow: (first: number, last: number) => void;
}

/**
 * Reads the pages of a list as the reader scrolls, and keeps what is on the screen up to date. The pages are read once; then
 * only the first one and those on the screen are read again, every 15 s and when `[queryKey]` is invalidated.
 */
export function useListData<Item>(
  definition: ListDefinition<Item>,
  query: ListQuery,
  isEnabled: boolean,
): ListData<Item> {
  const client = useClient();
  const queries = useQueryClient();
  const { queryKey, pageSize = DEFAULT_PAGE_SIZE } = definition;
  const key = useMemo(() => ['list-pages', queryKey, query], [queryKey, query]);
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      definition.read(client, query, { cursor: pageParam, limit: pageSize, signal }),
    enabled: isEnabled,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : undefined),
    // Reading all pages again, one after the other, would take a request for each that was ever scrolled past.
    staleTime: 'static',
    gcTime: KEEP_MS,
  });
  const seen = useRef<readonly [number, number]>([0, 0]);
  const sync = useQuery({
    queryKey: [queryKey, 'sync', query],
    queryFn: ({ signal }) =>
      syncPages({ definition, client, queries, key, query, seen: seen.current, signal }),
    enabled: isEnabled && pages.data !== undefined,
    initialData: { newCount: 0, isOpen: false, first: undefined },
    initialDataUpdatedAt: () => queries.getQueryState(key)?.dataUpdatedAt || Date.now(),
    refetchInterval: SYNC_MS,
  });
  const items = useMemo(() => flatten(pages.data, definition, query), [pages.data, definition, query]);
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError, refetch } = pages;
  const first = sync.data.first as Page<Item> | undefined;
  return {
    items,
    isLoading: pages.isPending,
    error: pages.error,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: useCallback(() => {
      if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) fetchNextPage();
    }, [fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError]),
    retry: () => (isFetchNextPageError ? fetchNextPage() : refetch()),
    newCount: sync.data.newCount,
    isNewCountOpen: sync.data.isOpen,
    showNew: () => {
      if (!first) return;
      queries.setQueryData<Pages<Item>>(key, { pages: [first], pageParams: [null] });
      queries.setQueryData([queryKey, 'sync', query], { newCount: 0, isOpen: false, first: undefined });
    },
    setWindow: useCallback(
      (from: number, to: number) => {
        seen.current = [Math.floor(from / pageSize), Math.floor(to / pageSize)];
      },
      [pageSize],
    ),
  };
}

interface Sync<Item> {
  readonly definition: ListDefinition<Item>;
  readonly client: Client;
  readonly queries: QueryClient;
  readonly key: readonly unknown[];
  readonly query: ListQuery;
  readonly seen: readonly [number, number];
  readonly signal: AbortSignal;
}

async function syncPages<Item>({ definition, client, queries, key, query, seen, signal }: Sync<Item>) {
  const { idOf, pageSize = DEFAULT_PAGE_SIZE } = definition;
  const before = queries.getQueryData<Pages<Item>>(key);
  const shown = [0, ...seen].filter((page, index, all) => all.indexOf(page) === index);
  const cursors = shown.flatMap((page) => {
    const cursor = before?.pageParams[page];
    return cursor === undefined ? [] : [[page, cursor] as const];
  });
  const fetched = await Promise.all(
    cursors.map(async ([page, cursor]) => {
      return [page, await definition.read(client, query, { cursor, limit: pageSize, signal })] as const;
    }),
  );
  // A page that is being appended would write over the merge.
  await queries
    .getQueryCache()
    .find({ queryKey: key, exact: true })
    ?.promise?.catch(() => {});
  const now = queries.getQueryData<Pages<Item>>(key);
  const first = fetched.find(([page]) => page === 0)?.[1];
  const last = queries.getQueryData<{ first?: Page<Item> }>([definition.queryKey, 'sync', query])?.first;
  if (first && idsOf(first, idOf) !== idsOf(last ?? before?.pages[0], idOf)) {
    // The strip never contradicts the rows below it.
    queries.invalidateQueries({ queryKey: [definition.queryKey, 'counts'] });
  }
  if (!now || !first) return { newCount: 0, isOpen: false, first };
  // The reader's own act shows what it added, and an empty list what arrives. Otherwise new items wait to be asked for.
  const isOwnAct = queries.getQueryState([definition.queryKey, 'sync', query])?.isInvalidated === true;
  const isEmpty = now.pages.every(({ data }) => data.length === 0);
  if (isEmpty || (isOwnAct && seen[0] === 0)) {
    queries.setQueryData<Pages<Item>>(key, { pages: [first], pageParams: [null] });
    return { newCount: 0, isOpen: false, first };
  }
  const byPage = new Map(fetched);
  const pages = now.pages.map((page, index) => {
    const again = byPage.get(index);
    return again ? { ...page, data: mergePage({ known: page.data, fetched: again, idOf }) } : page;
  });
  queries.setQueryData<Pages<Item>>(key, { ...now, pages });
  const newCount = countNew(first.data.map(idOf), pages, idOf);
  return { newCount, isOpen: newCount === first.data.length && first.has_more, first };
}

function idsOf<Item>(page: Page<Item> | undefined, idOf: (item: Item) => string): string {
  return page?.data.map(idOf).join(' ') ?? '';
}

/** Returns how many ids are on none of the pages. They are usually on the first one, so that the search ends there. */
function countNew<Item>(
  ids: readonly string[],
  pages: readonly Page<Item>[],
  idOf: (item: Item) => string,
): number {
  const left = new Set(ids);
  for (const { data } of pages) {
    for (const item of data) left.delete(idOf(item));
    if (left.size === 0) break;
  }
  return left.size;
}

function flatten<Item>(
  data: InfiniteData<Page<Item>> | undefined,
  { idOf }: ListDefinition<Item>,
  { sort }: ListQuery,
): readonly Item[] {
  if (!data) return [];
  const items =
    data.pages.length === 1 ? (data.pages[0]?.data ?? []) : data.pages.flatMap((page) => page.data);
  // In the order of creation, pages never overlap. In another one, an item can move from one to the next while they are read.
  if (sort === undefined) return items;
  return [...new Map(items.map((item) => [idOf(item), item])).values()];
}

import { useQuery } from '@tanstack/react-query';
import type { Client, SavedView } from '@tps/client';
import { useEffect, useMemo, useRef } from 'react';
import { useCan, useClient } from '../../../session/index.ts';
import { withoutList } from '../address/list-address.ts';
import type { ListAddress } from '../address/use-list-address.ts';
import type { ListDefinition, ListQuery } from '../list-definition.ts';
import { isChanged, openedQuery, parseViewQuery } from './view-query.ts';

/** A view of a list: one that the list brings along, or one that a person has saved. */
export interface ListView {
  readonly id: string;
  readonly name: string;
  readonly query: ListQuery;
  /** Undefined for those of the list. */
  readonly saved?: SavedView;
}

/** More than anyone scrolls through. */
const MAX_VIEWS = 300;

async function readViews(client: Client, page: string, signal: AbortSignal): Promise<SavedView[]> {
  const views: SavedView[] = [];
  for await (const view of client.views.list({ page, limit: 100, signal })) {
    views.push(view);
    if (views.length === MAX_VIEWS) break;
  }
  return views.sort((a, b) => a.name.localeCompare(b.name));
}

/** The views of a list, and which one the address names. An address that names a view and nothing else opens it. */
export function useViews<Item>(list: ListDefinition<Item>, address: ListAddress) {
  const client = useClient();
  const isAllowed = useCan()('views:write');
  const page = list.queryKey.replaceAll(/[^a-z_-]/g, '-');
  const query = useQuery({
    queryKey: ['views', page],
    queryFn: ({ signal }) => readViews(client, page, signal),
    enabled: isAllowed,
  });
  const builtIn = useMemo(() => list.views ?? [], [list]);
  const saved = useMemo(
    () =>
      (query.data ?? []).map(
        (view): ListView => ({
          id: view.view_id,
          name: view.name,
          query: parseViewQuery(view.query),
          saved: view,
        }),
      ),
    [query.data],
  );
  const { search } = address;
  const current: ListView | undefined = [...builtIn, ...saved].find(({ id }) => id === search.view);

  const others = withoutList(list, search);
  const open = (view: ListView, options?: { readonly push: boolean }) => {
    const cleared = Object.keys(search).filter((name) => !Object.hasOwn(others, name));
    address.set(
      {
        ...Object.fromEntries(cleared.map((name) => [name, undefined])),
        ...openedQuery(list, view.query, Date.now()),
        view: view.id,
      },
      options ?? { push: true },
    );
  };

  const opened = useRef<string>(undefined);
  const isNameAlone = Object.keys(search).every(
    (name) => Object.hasOwn(others, name) || name === 'view' || name === 'open',
  );
  useEffect(() => {
    if (current === undefined || opened.current === current.id) return;
    opened.current = current.id;
    if (isNameAlone) open(current, { push: false });
  });

  return {
    page,
    builtIn,
    own: saved.filter((view) => view.saved?.own && !view.saved.shared),
    shared: saved.filter((view) => view.saved?.shared),
    current,
    isChanged: current !== undefined && isChanged(list, search, current.query),
    open,
    isAllowed,
  };
}

export type Views = ReturnType<typeof useViews>;

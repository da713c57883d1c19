import type { Client, Event } from '@tps/client';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { ListData, ListQuery } from '../../../kit/index.ts';
import { useClient } from '../../../session/index.ts';
import { LiveTail, type TailSnapshot } from './live-tail.ts';

const PAGE_SIZE = 200;

export interface LiveEvents {
  readonly data: ListData<Event>;
  readonly tail: LiveTail;
  readonly snapshot: TailSnapshot;
}

/** Follows the events that match a query, in the form that a list shows. */
export function useLiveEvents(query: ListQuery): LiveEvents {
  const client = useClient();
  const key = JSON.stringify(query);
  const tail = useMemo(() => createTail(client, JSON.parse(key) as ListQuery), [client, key]);
  useEffect(() => {
    tail.start();
    const onChange = () => tail.setOnline(navigator.onLine);
    addEventListener('online', onChange);
    addEventListener('offline', onChange);
    return () => {
      removeEventListener('online', onChange);
      removeEventListener('offline', onChange);
      tail.stop();
    };
  }, [tail]);
  const snapshot = useSyncExternalStore(tail.subscribe, tail.getSnapshot);
  const { items, isLoading, isLoadingMore, hasMore, newCount, error, connection } = snapshot;
  const isShown = connection === 'failed' || items.length === 0;
  const acts = useMemo(() => actsOf(tail), [tail]);
  return {
    tail,
    snapshot,
    data: {
      ...{ items, isLoading, isLoadingMore, hasMore, newCount },
      isNewCountOpen: false,
      error: isShown && !isLoading ? error : null,
      ...acts,
    },
  };
}

function actsOf(tail: LiveTail) {
  return {
    loadMore: tail.loadMore,
    retry: tail.retry,
    showNew: () => {
      document.querySelector('[data-list-scroller]')?.scrollTo({ top: 0 });
      tail.showNew();
    },
    setWindow: (first: number) => tail.setScrolled(first > 0),
  };
}

function createTail(client: Client, query: ListQuery): LiveTail {
  return new LiveTail({
    open: (options) => client.events.stream({ ...query, ...options }),
    readPage: (cursor, signal) =>
      client.events.list({ ...query, order: 'newest', limit: PAGE_SIZE, cursor, signal }).page(),
  });
}

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Client, Delivery } from '@tps/client';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** A delivery that is under way is looked at this often. */
const PENDING_POLL_MS = 2_000;
const DELIVERIES_PER_PAGE = 20;

export type DeliveryChoice = 'all' | Delivery['status'];

export function webhookQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => client.webhooks.get(id, { signal }),
  });
}

/** The deliveries of an hour. */
export interface HealthHour {
  readonly startMs: number;
  readonly total: number;
  readonly failed: number;
}

/** The deliveries of the last 24 hours. A failed one can still be replayed. */
export function healthQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: ['webhooks', id, 'health'],
    // Two requests for each webhook of a list: not with each visit.
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<HealthHour[]> => {
      const firstMs = (Math.floor(Date.now() / HOUR_MS) - DAY_HOURS + 1) * HOUR_MS;
      const query = { since: new Date(firstMs).toISOString(), interval: 'hour', signal } as const;
      const [all, failed] = await Promise.all([
        client.webhooks.deliveryCounts(id, query),
        client.webhooks.deliveryCounts(id, { ...query, status: 'failed' }),
      ]);
      const countAt = (buckets: typeof all.buckets, startMs: number) =>
        buckets.find(({ start }) => Date.parse(start) === startMs)?.count ?? 0;
      return Array.from({ length: DAY_HOURS }, (_, hour) => {
        const startMs = firstMs + hour * HOUR_MS;
        return {
          startMs,
          total: countAt(all.buckets, startMs),
          failed: countAt(failed.buckets, startMs),
        };
      });
    },
  });
}

/** The deliveries of a webhook, newest first. They are read again while one is under way. */
export function deliveriesQuery(client: Client, id: string, choice: DeliveryChoice) {
  return infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries', choice],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.webhooks
        .deliveries(id, {
          limit: DELIVERIES_PER_PAGE,
          cursor: pageParam,
          ...(choice !== 'all' && { status: choice }),
          signal,
        })
        .page(),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ status }) => status === 'pending'))
        ? PENDING_POLL_MS
        : false,
  });
}

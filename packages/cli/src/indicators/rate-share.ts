import { setTimeout as pause } from 'node:timers/promises';
import type { Fetch } from '@tps/client';

const WINDOW_MS = 60_000;

/** Limits a series of requests to half of the tenant's rate limit, so that devices can use the rest. */
export interface RateShare {
  /** Replaces the global fetch, and reads the rate limit from each response. */
  readonly fetch: Fetch;
  /** Waits before the next request of a series of this length. */
  wait(requests: number): Promise<void>;
}

export function createRateShare(sleep: (ms: number) => Promise<unknown> = pause): RateShare {
  let perMinute = Number.POSITIVE_INFINITY;
  return {
    async fetch(url, init) {
      const response = await fetch(url, init);
      perMinute = Number(response.headers.get('x-ratelimit-limit') ?? Number.NaN) || perMinute;
      return response;
    },
    async wait(requests) {
      const share = perMinute / 2;
      if (requests > share) await sleep(WINDOW_MS / share);
    },
  };
}

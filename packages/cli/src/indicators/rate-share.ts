import { setTimeout as pause } from 'node:timers/promises';
import type { Fetch } from '@tps/client';

const WINDOW_MS = 60_000;

/** What a long row of requests leaves of the tenant's rate limit to devices and to everybody else. */
export interface RateShare {
  /** In place of the global one: hears from each answer how many requests a minute may have. */
  readonly fetch: Fetch;
  /** Waits before the next of so many requests, so that all of them take at most half. */
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

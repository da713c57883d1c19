import { isTransient, jitterMs, type RetryRules, toRetryAfterMs } from '../http/retry.ts';
import { wait } from '../http/wait.ts';
import { advance, iterateBy, type List, type Page, type ReadPage } from './list.ts';

/** How a list is followed. */
export interface FollowOptions {
  /** Time between two looks when there is nothing new. 2,000 unless given; a tenant may send 120 requests a minute. */
  readonly pollMs?: number | undefined;
  /** Hears of every failure that is waited out, the nth in a row. Following goes on as long as nobody aborts it. */
  readonly onOutage?: ((error: unknown, failed: number) => void) | undefined;
}

const DEFAULT_POLL_MS = 2_000;

/** A service that is away is asked twice a minute, however long it is away. */
const OUTAGE: RetryRules = { baseDelayMs: 500, maxDelayMs: 30_000 };

/**
 * Makes a list that never ends: at its end it looks again and again. What passes by itself (no connection, 429, 5xx) is
 * waited out; any other failure is thrown. An aborted signal ends the iteration as if the list had ended.
 */
export function createFeed<P extends Page<unknown>>(
  start: string | null,
  read: ReadPage<P>,
  { pollMs = DEFAULT_POLL_MS, onOutage, signals }: FollowOptions & { signals: readonly AbortSignal[] },
): List<P> {
  async function* pages() {
    for (let cursor = start; ; ) {
      const page = await retryForever(() => read(cursor), { signals, onOutage });
      if (page === undefined) return;
      if (page.data.length > 0 || page.next_cursor !== cursor) yield page;
      cursor = page.has_more ? advance(cursor, page) : page.next_cursor;
      if (!page.has_more) await waitOrAbort(pollMs, signals);
    }
  }
  return iterateBy(start, pages, read);
}

/** Repeats until it works, however long that takes; undefined when a signal ended it before. */
async function retryForever<Result>(
  once: () => Promise<Result>,
  { signals, onOutage }: Pick<FollowOptions, 'onOutage'> & { signals: readonly AbortSignal[] },
): Promise<Result | undefined> {
  for (let failed = 1; !isAborted(signals); failed += 1) {
    try {
      return await once();
    } catch (error) {
      if (isAborted(signals)) return undefined;
      if (!isTransient(error)) throw error;
      onOutage?.(error, failed);
      await waitOrAbort(toRetryAfterMs(error) + jitterMs(failed, OUTAGE), signals);
    }
  }
  return undefined;
}

function isAborted(signals: readonly AbortSignal[]): boolean {
  return signals.some(({ aborted }) => aborted);
}

async function waitOrAbort(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  // Rejects when a signal is aborted, which whoever waited here looks at next.
  await wait(ms, signals).catch(() => undefined);
}

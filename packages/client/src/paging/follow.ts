import { isOutage, outagePauseMs } from '../http/outage.ts';
import type { RetryRules } from '../http/retry.ts';
import { wait } from '../http/wait.ts';
import { advance, iterateBy, type List, type Page, type ReadPage } from './list.ts';

/** Options for following a feed. */
export interface FollowOptions {
  /** Time between polls at the end of the feed (default 2,000). A tenant may send 120 requests per minute. */
  readonly pollMs?: number | undefined;
  /**
   * Called for each failure that is waited out, the nth in a row. Following continues until it is aborted. Without it, a
   * refusal after the first page is thrown, because otherwise the application would not learn of it.
   */
  readonly onOutage?: ((error: unknown, failed: number) => void) | undefined;
}

const DEFAULT_POLL_MS = 2_000;

/** During an outage, the service is polled twice a minute, without a limit. */
const OUTAGE: RetryRules = { baseDelayMs: 500, maxDelayMs: 30_000 };

/**
 * Creates a list without an end: at the end of the feed it polls. Transient failures (no connection, 429, 5xx) are
 * retried without limit, and so are refusals (401, 403, 404 …) after the first page, with pauses of up to an hour. Other
 * failures are thrown. An aborted signal ends the iteration as if the list had ended.
 */
export function createFeed<P extends Page<unknown>>(
  start: string | null,
  read: ReadPage<P>,
  { pollMs = DEFAULT_POLL_MS, onOutage, signals }: FollowOptions & { signals: readonly AbortSignal[] },
): List<P> {
  async function* pages() {
    let hasWorked = false;
    for (let cursor = start; ; ) {
      const page = await retryForever(() => read(cursor), { signals, onOutage, hasWorked });
      if (page === undefined) return;
      hasWorked = true;
      if (page.data.length > 0 || page.next_cursor !== cursor) yield page;
      cursor = page.has_more ? advance(cursor, page) : page.next_cursor;
      if (!page.has_more) await waitOrAbort(pollMs, signals);
    }
  }
  return iterateBy(start, pages, read);
}

/** Repeats a task until it succeeds. Undefined when a signal is aborted first. */
async function retryForever<Result>(
  once: () => Promise<Result>,
  {
    signals,
    onOutage,
    hasWorked,
  }: Pick<FollowOptions, 'onOutage'> & { signals: readonly AbortSignal[]; hasWorked: boolean },
): Promise<Result | undefined> {
  for (let failed = 1; !isAborted(signals); failed += 1) {
    try {
      return await once();
    } catch (error) {
      if (isAborted(signals)) return undefined;
      if (!isOutage(error, hasWorked, onOutage !== undefined)) throw error;
      onOutage?.(error, failed);
      await waitOrAbort(outagePauseMs(error, failed, OUTAGE), signals);
    }
  }
  return undefined;
}

function isAborted(signals: readonly AbortSignal[]): boolean {
  return signals.some(({ aborted }) => aborted);
}

async function waitOrAbort(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  // An aborted signal ends the wait; the caller checks the signals next.
  await wait(ms, signals).catch(() => undefined);
}

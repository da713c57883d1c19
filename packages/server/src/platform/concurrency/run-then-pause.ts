import { setTimeout } from 'node:timers/promises';

const MIN_MS = 5;
/** Upper bound: work that itself waited for a lock need not pause as long. */
const MAX_MS = 1000;

/**
 * Runs work, then pauses as long as the work took. Another process on the same SQLite file tries for the lock only
 * now and then and would hardly ever find it free between back-to-back transactions.
 */
export async function runThenPause<R>(work: () => Promise<R>, signal?: AbortSignal): Promise<R> {
  const beganAtMs = performance.now();
  const result = await work();
  const pauseMs = Math.min(Math.max(performance.now() - beganAtMs, MIN_MS), MAX_MS);
  // An abort ends the pause early; the caller checks the signal.
  await setTimeout(pauseMs, undefined, signal && { signal }).catch(() => undefined);
  return result;
}

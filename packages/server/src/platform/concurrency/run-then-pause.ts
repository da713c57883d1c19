import { setTimeout } from 'node:timers/promises';

const MIN_MS = 5;
/** Work that has waited for others itself need not leave them all that time. */
const MAX_MS = 1000;

/**
 * Does some work and then leaves others as much time as it took. Another process on an SQLite file tries for its lock now
 * and then only, and would hardly ever find it free between transactions that follow each other at once.
 */
export async function withRoomAfter<R>(work: () => Promise<R>, signal?: AbortSignal): Promise<R> {
  const beganAtMs = performance.now();
  const result = await work();
  const pauseMs = Math.min(Math.max(performance.now() - beganAtMs, MIN_MS), MAX_MS);
  // Whoever goes on looks at the signal.
  await setTimeout(pauseMs, undefined, signal && { signal }).catch(() => undefined);
  return result;
}

import { readFileSync } from 'node:fs';
import { setInterval as ticks } from 'node:timers/promises';

const EVERY_MS = 2;

/**
 * Returns the longest time in milliseconds that this thread computed without returning to its event loop during some work.
 * Time without a processor does not count, because other tests run at the same time.
 */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  const stop = new AbortController();
  const watching = watch(stop.signal);
  try {
    await work();
  } finally {
    stop.abort();
  }
  return watching;
}

/** Returns for how many milliseconds in total this thread computed during some work. */
export async function threadTimeMs(work: () => Promise<unknown>): Promise<number> {
  const before = computedMs();
  await work();
  return computedMs() - before;
}

async function watch(signal: AbortSignal): Promise<number> {
  let longest = 0;
  let before = computedMs();
  try {
    for await (const _ of ticks(EVERY_MS, undefined, { signal })) {
      const now = computedMs();
      longest = Math.max(longest, now - before);
      before = now;
    }
  } catch {
    // The work has ended.
  }
  return Math.max(longest, computedMs() - before);
}

/** CPU time of the main thread on Linux (proc_pid_schedstat: first the nanoseconds on a processor); elsewhere the clock. */
function computedMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

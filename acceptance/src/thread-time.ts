import { readFileSync } from 'node:fs';
import { setInterval as ticks } from 'node:timers/promises';

const EVERY_MS = 2;

/**
 * Does work and tells for how many milliseconds at most this thread computed without coming back to its event loop. Time in
 * which the system gave the thread no processor does not count: other tests run beside this one.
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
    // Told to stop.
  }
  return Math.max(longest, computedMs() - before);
}

/** Of the main thread, from Linux (proc_pid_schedstat: nanoseconds on a processor come first); elsewhere the time of day. */
function computedMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

import type { AgentClock } from '../ports/clock.ts';

/** A clock that stands still until a test moves it. Waits end when it reaches their time. */
export function handHeldClock() {
  const startMs = Date.now();
  let elapsedMs = 0;
  const waits = new Map<() => void, number>();
  const clock = {
    nowMs: () => startMs + elapsedMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const end = () => resolve();
        waits.set(end, elapsedMs + ms);
        signal.addEventListener('abort', () => {
          waits.delete(end);
          reject(signal.reason);
        });
      }),
  } satisfies AgentClock;
  return {
    ...clock,
    advance(ms: number): void {
      elapsedMs += ms;
      for (const [end, dueMs] of waits) {
        if (dueMs > elapsedMs) continue;
        waits.delete(end);
        end();
      }
    },
  };
}

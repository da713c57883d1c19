import type { AgentClock } from '../ports/clock.ts';

/** The longest timer of the platform; a longer wait would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** This machine's clock. Its timers do not keep a Node process alive. */
export const systemClock: AgentClock = {
  nowMs: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(
        () => {
          signal.removeEventListener('abort', stop);
          resolve();
        },
        Math.min(Math.max(ms, 0), MAX_TIMER_MS),
      );
      // In a browser a timer is a number.
      (timer as { unref?: () => void }).unref?.();
      signal.addEventListener('abort', stop, { once: true });
    }),
};

/** Work that repeats until it is stopped. */
export interface Repetition {
  /** Aborts the current round and waits for it to end. */
  stop(): Promise<void>;
}

/**
 * Runs work after `firstAfterMs`, then again `everyMs` after each round has ended: a slow round is followed by a
 * full pause too.
 */
export function repeat(
  { firstAfterMs, everyMs }: { firstAfterMs: number; everyMs: number },
  { work, failed }: { work: (signal: AbortSignal) => Promise<void>; failed: (error: unknown) => void },
): Repetition {
  const controller = new AbortController();
  const { signal } = controller;
  let round: Promise<void> = Promise.resolve();
  const begin = () => {
    round = work(signal)
      .catch((error: unknown) => {
        if (!signal.aborted) failed(error);
      })
      .then(() => {
        if (!signal.aborted) timer = setTimeout(begin, everyMs).unref();
      });
  };
  let timer = setTimeout(begin, firstAfterMs).unref();
  return {
    async stop() {
      clearTimeout(timer);
      controller.abort();
      await round;
    },
  };
}

/** Work that is done again and again. */
export interface Repetition {
  /** Tells the round that is under way to end, and waits for it. */
  stop(): Promise<void>;
}

/**
 * Does some work after a while, and then again and again, each time so long after the round before has ended: a slow round
 * is followed by a pause like any other.
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

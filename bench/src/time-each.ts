import { percentile } from './figures.ts';

export interface TimedWindow {
  readonly seconds: number;
  /** Seconds of the same work before the window: they compile the code and fill caches. */
  readonly warmUp: number;
}

export interface Times {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Repeats work for this many seconds and times each turn. The turns of the warm-up before that are not timed.
 *
 * @param work receives the number of its turn, from 0; a result that is not a promise is not awaited, so that a blocking
 *   loop stays one
 * @param concurrency how many turns run at a time
 */
export async function timeEach(
  { seconds, warmUp }: TimedWindow,
  work: (turn: number) => unknown,
  { concurrency = 1 } = {},
): Promise<Times> {
  const times: number[] = [];
  let turn = 0;
  const startedAt = performance.now() + warmUp * 1000;
  const repeat = async () => {
    for (let before = performance.now(); before - startedAt < seconds * 1000; ) {
      const pending = work(turn++);
      if (pending instanceof Promise) await pending;
      const after = performance.now();
      if (before >= startedAt) times.push(after - before);
      before = after;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, repeat));
  const elapsed = (performance.now() - startedAt) / 1000;
  const sorted = Float64Array.from(times).sort();
  return {
    perSecond: times.length / elapsed,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  };
}

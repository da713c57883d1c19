import { percentile } from './statistics.ts';

export interface Times {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Does the same work again and again for so long, and tells how often and how long each turn took.
 *
 * @param work counts its turns from 0; what gives no promise is not waited for, so that a blocking loop stays one
 * @param atOnce how many turns are under way at a time
 */
export async function timeEach(
  seconds: number,
  work: (turn: number) => unknown,
  { atOnce = 1 } = {},
): Promise<Times> {
  const times: number[] = [];
  let turn = 0;
  const startedAt = performance.now();
  const repeat = async () => {
    for (let before = performance.now(); before - startedAt < seconds * 1000; ) {
      const pending = work(turn++);
      if (pending instanceof Promise) await pending;
      const after = performance.now();
      times.push(after - before);
      before = after;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, repeat));
  const elapsed = (performance.now() - startedAt) / 1000;
  const sorted = Float64Array.from(times).sort();
  return {
    perSecond: times.length / elapsed,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  };
}

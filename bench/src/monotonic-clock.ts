/**
 * Milliseconds since the machine was started, to the microsecond. On Linux this is CLOCK_MONOTONIC: the same clock in all
 * processes, so that times taken in two of them can be subtracted, and no correction of the wall clock touches it.
 * (`performance.timeOrigin + performance.now()` is tied to the wall clock as it was when each process began.)
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

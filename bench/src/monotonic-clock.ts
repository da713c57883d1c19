/**
 * Returns milliseconds since the machine was started, to the microsecond. On Linux this is CLOCK_MONOTONIC: all
 * processes share it, so times of two processes can be subtracted, and corrections of the wall clock do not affect it.
 * (`performance.timeOrigin + performance.now()` depends on the wall clock at the start of each process.)
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

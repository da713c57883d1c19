import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { serveCalls } from '../process-calls.ts';

/**
 * Loaded into the service with `--import`: measures its main thread without changing the product. A timer fires every
 * millisecond, so the result exceeds the longest pause by at most one millisecond.
 */
const delays = monitorEventLoopDelay({ resolution: 1 });

const calls = {
  async watchLoop() {
    delays.reset();
    delays.enable();
  },
  /** Returns the longest pause since `watchLoop`, in milliseconds. */
  async readLongestPause() {
    delays.disable();
    return delays.max / 1e6;
  },
};
export type LoopProbeCalls = typeof calls;

if (isMainThread) {
  serveCalls(calls);
  // The service ends when its own work does.
  process.channel?.unref();
}

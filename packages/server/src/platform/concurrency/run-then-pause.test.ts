import { expect, test, vi } from 'vitest';
import { runThenPause } from './run-then-pause.ts';

/** Timers may fire a millisecond early by another clock. */
const EARLY_MS = 2;

/** Takes its time without yielding, as a transaction on SQLite does. */
function workFor(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test('the pause is as long as the work took, with a minimum', async () => {
  let endedAtMs = 0;
  for (const [took, pause] of [
    [0, 5],
    [40, 40],
  ] as const) {
    const result = await runThenPause(async () => {
      workFor(took);
      endedAtMs = performance.now();
      return took;
    });
    expect(result).toBe(took);
    expect(performance.now() - endedAtMs).toBeGreaterThanOrEqual(pause - EARLY_MS);
  }
});

test('an abort ends the pause, and the result is still returned', async () => {
  const controller = new AbortController();
  const work = runThenPause(async () => {
    workFor(40);
    return 'done';
  }, controller.signal);
  // All microtasks have run, so the pause has begun.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const timer = vi.fn();
  setTimeout(timer, 0);
  controller.abort();
  expect(await work).toBe('done');
  expect(timer).not.toHaveBeenCalled();
});

test('a failure is thrown without a pause', async () => {
  await expect(runThenPause(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

import { expect, test } from 'vitest';
import { withRoomAfter } from './run-then-pause.ts';

/** Timers may be a millisecond early by another clock. */
const EARLY_MS = 2;

/** Takes its time without a turn for anybody, as a transaction on SQLite does. */
function workFor(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test('others have as much time after some work as it took, and a little after the shortest', async () => {
  let endedAtMs = 0;
  for (const [took, pause] of [
    [0, 5],
    [40, 40],
  ] as const) {
    const result = await withRoomAfter(async () => {
      workFor(took);
      endedAtMs = performance.now();
      return took;
    });
    expect(result).toBe(took);
    expect(performance.now() - endedAtMs).toBeGreaterThanOrEqual(pause - EARLY_MS);
  }
});

test('a signal ends the pause, and what was done is given all the same', async () => {
  const controller = new AbortController();
  const work = withRoomAfter(async () => {
    workFor(1_000);
    setImmediate(() => controller.abort());
    return performance.now();
  }, controller.signal);
  expect(performance.now() - (await work)).toBeLessThan(900);
});

test('work that fails fails at once', async () => {
  await expect(withRoomAfter(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

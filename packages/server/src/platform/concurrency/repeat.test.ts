import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeat } from './repeat.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Rounds that the test ends by hand. */
function startRounds() {
  const ends: ((error?: Error) => void)[] = [];
  const failures: unknown[] = [];
  const signals: AbortSignal[] = [];
  const repetition = repeat(
    { firstAfterMs: 10, everyMs: 1000 },
    {
      work: (signal) => {
        signals.push(signal);
        return new Promise((resolve, reject) => {
          ends.push((error) => (error ? reject(error) : resolve()));
        });
      },
      failed: (error) => failures.push(error),
    },
  );
  return { ends, failures, signals, repetition };
}

test('a slow round is followed by a full pause, and rounds never pile up', async () => {
  const { ends, repetition } = startRounds();
  await vi.advanceTimersByTimeAsync(10);
  expect(ends).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(999);
  expect(ends).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await repetition.stop();
});

test('a failed round is reported, and the next one runs', async () => {
  const { ends, failures, repetition } = startRounds();
  await vi.advanceTimersByTimeAsync(10);
  ends[0]?.(new Error('broken'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(failures).toEqual([new Error('broken')]);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await repetition.stop();
});

test('stop aborts the current round, waits for it and starts no other', async () => {
  const { ends, failures, signals, repetition } = startRounds();
  await vi.advanceTimersByTimeAsync(10);
  let isStopped = false;
  const stopped = repetition.stop().then(() => {
    isStopped = true;
  });
  expect(signals[0]?.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(isStopped).toBe(false);
  ends[0]?.(new Error('aborted'));
  await stopped;
  await vi.advanceTimersByTimeAsync(5000);
  expect([ends.length, failures.length]).toEqual([1, 0]);
});

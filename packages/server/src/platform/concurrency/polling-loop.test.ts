import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PollingLoop, type PollingLoopOptions } from './polling-loop.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A loop whose rounds the test ends by hand. */
function startLoop(options: Partial<PollingLoopOptions> = {}) {
  const ends: ((error?: Error) => void)[] = [];
  const failures: [unknown, number][] = [];
  const signals: AbortSignal[] = [];
  let recoveries = 0;
  const loop = new PollingLoop({
    round: (signal) => {
      signals.push(signal);
      return new Promise((resolve, reject) => {
        ends.push((error) => (error ? reject(error) : resolve(1000)));
      });
    },
    onFailure: (error, inARow) => failures.push([error, inARow]),
    onRecovery: () => {
      recoveries += 1;
    },
    ...options,
  });
  loop.start();
  /** Ends the current round and lets what follows from it happen. */
  const end = async (error?: Error) => {
    ends.at(-1)?.(error);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { loop, end, failures, signals, rounds: () => ends.length, recoveries: () => recoveries };
}

test('the first round comes after its pause, and stop ends that pause without a round', async () => {
  const { loop, rounds } = startLoop({ firstAfterMs: 10 });
  await vi.advanceTimersByTimeAsync(9);
  expect(rounds()).toBe(0);
  await loop.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(rounds()).toBe(0);
});

test('a slow round is followed by a full pause, and rounds never overlap', async () => {
  const { loop, end, rounds } = startLoop();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(rounds()).toBe(1);
  await end();
  await vi.advanceTimersByTimeAsync(999);
  expect(rounds()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(rounds()).toBe(2);
  await end();
  await loop.stop();
});

test('a wake ends the pause, and a wake during a round leaves no pause after it', async () => {
  const { loop, end, rounds } = startLoop();
  await end();
  loop.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(rounds()).toBe(2);
  loop.wake();
  loop.wake();
  await end();
  expect(rounds()).toBe(3);
  await end();
  expect(rounds()).toBe(3);
  await loop.stop();
});

test('failures in a row are counted and followed by the back-off, recovery is reported once', async () => {
  const { loop, end, failures, rounds, recoveries } = startLoop({ backOffMs: 200 });
  const broken = new Error('broken');
  await end(broken);
  await vi.advanceTimersByTimeAsync(199);
  expect(rounds()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await end(broken);
  await vi.advanceTimersByTimeAsync(200);
  expect(failures).toEqual([
    [broken, 1],
    [broken, 2],
  ]);
  await end();
  await vi.advanceTimersByTimeAsync(1000);
  await end();
  expect(recoveries()).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  await end(broken);
  expect(failures.at(-1)).toEqual([broken, 1]);
  await loop.stop();
});

test('a loop is healthy for 15 s after its start and after each successful round', async () => {
  const idle = new PollingLoop({ round: async () => 1000, onFailure: () => {} });
  expect(idle.isHealthy()).toBe(false);
  const { loop, end } = startLoop({ backOffMs: 1 });
  expect(loop.isHealthy()).toBe(true);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(loop.isHealthy()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(loop.isHealthy()).toBe(false);
  await end(new Error('broken'));
  expect(loop.isHealthy()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await end();
  expect(loop.isHealthy()).toBe(true);
  await loop.stop();
});

test('stop aborts the current round, waits for it and starts no other', async () => {
  const { loop, end, signals, rounds } = startLoop();
  let stops = 0;
  const stopped = Promise.all([loop.stop(), loop.stop()]).then(() => {
    stops += 1;
  });
  expect(signals[0]?.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(stops).toBe(0);
  await end(new Error('aborted'));
  await stopped;
  await vi.advanceTimersByTimeAsync(5000);
  expect(rounds()).toBe(1);
});

test.each([[undefined], [new Error('broken')]])(
  'rounds continue after stop until the last one has ended (%s)',
  async (error) => {
    let isDone = false;
    const { loop, end, rounds } = startLoop({ isLastRound: () => isDone });
    const stopped = loop.stop();
    await end();
    expect(rounds()).toBe(2);
    isDone = true;
    await end();
    await vi.advanceTimersByTimeAsync(1000);
    expect(rounds()).toBe(3);
    await end(error);
    await stopped;
    await vi.advanceTimersByTimeAsync(5000);
    expect(rounds()).toBe(3);
  },
);

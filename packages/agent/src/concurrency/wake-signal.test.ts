import { expect, test } from 'vitest';
import { systemClock } from '../clock/system-clock.ts';
import { Waker } from './wake-signal.ts';

const { signal } = new AbortController();

test('a call ends the wait, also one that came before', async () => {
  const waker = new Waker(systemClock);
  waker.wake();
  await waker.wait(undefined, signal);
  const waiting = waker.wait(undefined, signal);
  waker.wake();
  await waiting;
});

test('a call that was forgotten or used up ends no wait', async () => {
  const waker = new Waker(systemClock);
  waker.wake();
  waker.forget();
  let isOver = false;
  const waiting = waker.wait(30, signal).then(() => {
    isOver = true;
  });
  await systemClock.sleep(1, signal);
  expect(isOver).toBe(false);
  await waiting;
});

test('a wait that is broken off rejects', async () => {
  const waker = new Waker(systemClock);
  const controller = new AbortController();
  const waiting = waker.wait(undefined, controller.signal);
  controller.abort(new Error('closing'));
  await expect(waiting).rejects.toThrow('closing');
  await expect(waker.wait(1, controller.signal)).rejects.toThrow('closing');
});

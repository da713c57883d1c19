import { expect, test } from 'vitest';
import { systemClock } from '../clock/system-clock.ts';
import { WakeSignal } from './wake-signal.ts';

const { signal } = new AbortController();

test('wake ends the wait, also when it was called before the wait began', async () => {
  const wakeSignal = new WakeSignal(systemClock);
  wakeSignal.wake();
  await wakeSignal.wait(undefined, signal);
  const waiting = wakeSignal.wait(undefined, signal);
  wakeSignal.wake();
  await waiting;
});

test('a wake that was reset or already used does not end a wait', async () => {
  const wakeSignal = new WakeSignal(systemClock);
  wakeSignal.wake();
  wakeSignal.reset();
  let isOver = false;
  const waiting = wakeSignal.wait(30, signal).then(() => {
    isOver = true;
  });
  await systemClock.sleep(1, signal);
  expect(isOver).toBe(false);
  await waiting;
});

test('an aborted wait rejects with the reason', async () => {
  const wakeSignal = new WakeSignal(systemClock);
  const controller = new AbortController();
  const waiting = wakeSignal.wait(undefined, controller.signal);
  controller.abort(new Error('closing'));
  await expect(waiting).rejects.toThrow('closing');
  await expect(wakeSignal.wait(1, controller.signal)).rejects.toThrow('closing');
});

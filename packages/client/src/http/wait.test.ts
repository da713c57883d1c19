import { expect, test, vi } from 'vitest';
import { wait } from './wait.ts';

test('whoever waits after the signal was aborted does not wait', async () => {
  const reason = new Error('called off');
  await expect(wait(60_000, [AbortSignal.abort(reason)])).rejects.toBe(reason);
});

test('a signal that lives on keeps nothing of a wait that is over', async () => {
  const { signal } = new AbortController();
  const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
  await wait(1, [signal]);
  expect(add).toHaveBeenCalledTimes(1);
  expect(remove.mock.calls).toEqual(add.mock.calls);
});

import { expect, test, vi } from 'vitest';
import { wait } from './wait.ts';

test('a wait with an aborted signal rejects at once', async () => {
  const reason = new Error('called off');
  await expect(wait(60_000, [AbortSignal.abort(reason)])).rejects.toBe(reason);
});

test('a finished wait leaves no listener on the signal', async () => {
  const { signal } = new AbortController();
  const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
  await wait(1, [signal]);
  expect(add).toHaveBeenCalledTimes(1);
  expect(remove.mock.calls).toEqual(add.mock.calls);
});

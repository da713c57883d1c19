import { expect, onTestFinished, test } from 'vitest';
import { AgentLoops } from './agent-loops.ts';
import { systemClock } from './clock/system-clock.ts';
import type { DrainResult } from './upload/uploader.ts';

/** Loops whose waits end only on a wake. During each upload another event is recorded. */
function startLoops(results: DrainResult[]) {
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const uploads = { count: 0 };
  const removals = { count: 0 };
  const nothing = async () => {};
  const loops = new AgentLoops({
    clock: {
      nowMs: Date.now,
      sleep: (ms, signal) => systemClock.sleep(ms === 0 ? 0 : Number.MAX_SAFE_INTEGER, signal),
    },
    closing: closing.signal,
    statusEveryHours: 0,
    hasCopies: true,
    drain: async () => {
      const result = results[uploads.count] ?? ({ kind: 'stopped' } as const);
      uploads.count += 1;
      if (uploads.count <= results.length) loops.wakeUploader();
      return result;
    },
    pollUpdates: nothing,
    recover: nothing,
    removeExpired: async () => {
      removals.count += 1;
    },
    recordStatus: nothing,
  });
  loops.start();
  return { loops, uploads, removals, closing };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('expired events are removed when the agent opens, before any wait has ended', async () => {
  const { removals } = startLoops([]);
  await expect.poll(() => removals.count).toBe(1);
});

test('an event recorded during an upload is uploaded right after it', async () => {
  const { uploads } = startLoops([{ kind: 'empty' }, { kind: 'empty' }]);
  await expect.poll(() => uploads.count).toBe(3);
});

test.each<DrainResult>([{ kind: 'waiting', afterMs: 1000 }, { kind: 'stopped' }])(
  'an event recorded during an upload does not shorten the wait after it: $kind',
  async (result) => {
    const { uploads, loops } = startLoops([result]);
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect(uploads.count).toBe(1);
    loops.wakeUploader();
    await expect.poll(() => uploads.count).toBe(2);
  },
);

test('closing ends all loops', async () => {
  const { loops, closing } = startLoops([]);
  closing.abort();
  await loops.ended;
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock } from '@tps/testing/time';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLogger } from '../logger.ts';
import { withLocalFallback } from './local-fallback.ts';
import { LocalLimiter } from './local-limiter.ts';
import { STORE_TIMEOUT_MS } from './shared-limiter.ts';

type Mood = 'well' | 'refusing connections' | 'silent';

/** A shared store that the test can make unavailable. It counts in memory; its internals do not matter here. */
function setUp() {
  const clock = new ManualClock();
  const store = new LocalLimiter({ clock });
  const lines: { level: string; msg: string }[] = [];
  const state = { mood: 'well' as Mood, admits: 0, probes: 0 };
  const respond = <Value>(answer: () => Promise<Value>): Promise<Value> => {
    if (state.mood === 'silent') return new Promise(() => undefined);
    return state.mood === 'well' ? answer() : Promise.reject(new Error('ECONNREFUSED'));
  };
  const shared = {
    admit(key: string, limit: number) {
      state.admits += 1;
      return respond(() => store.admit(key, limit));
    },
    probe() {
      state.probes += 1;
      return respond(() => Promise.resolve());
    },
  };
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const local = new LocalLimiter({ clock });
  return { clock, store, lines, state, limiter: withLocalFallback({ shared, local, logger, clock }) };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('while the shared store responds', () => {
  test('admissions of other nodes count', async () => {
    const { store, limiter } = setUp();
    for (let at = 0; at < 3; at += 1) await store.admit('a', 3);
    expect((await limiter.admit('a', 3)).allowed).toBe(false);
  });
});

describe('when the shared store fails', () => {
  test('requests continue, limited by what this node has admitted before and since', async () => {
    const { state, limiter } = setUp();
    await limiter.admit('a', 3);
    await limiter.admit('a', 3);
    state.mood = 'refusing connections';
    expect((await limiter.admit('a', 3)).allowed).toBe(true);
    expect((await limiter.admit('a', 3)).allowed).toBe(false);
  });

  test('the failure is logged once, and not every request queries the store', async () => {
    const { lines, state, limiter } = setUp();
    state.mood = 'refusing connections';
    for (let at = 0; at < 50; at += 1) await limiter.admit('a', 100);
    expect(lines.map(({ level }) => level)).toEqual(['warn']);
    expect(state).toMatchObject({ admits: 1, probes: 0 });
  });

  test('a silent store delays only the first request, by half a second at most', async () => {
    const { state, limiter } = setUp();
    state.mood = 'silent';
    const first = limiter.admit('a', 3);
    await vi.advanceTimersByTimeAsync(STORE_TIMEOUT_MS);
    expect((await first).allowed).toBe(true);
    expect((await limiter.admit('a', 3)).allowed).toBe(true);
    expect(STORE_TIMEOUT_MS).toBe(500);
  });

  test('it is probed once a second and takes over after its first success', async () => {
    const { clock, lines, state, store, limiter } = setUp();
    state.mood = 'refusing connections';
    await limiter.admit('a', 3);
    for (let second = 1; second <= 3; second += 1) {
      clock.advance(999);
      await limiter.admit('b', 100);
      clock.advance(1);
      await limiter.admit('b', 100);
      await nextTurn();
      await limiter.admit('b', 100);
      await nextTurn();
      expect(state.probes).toBe(second);
    }
    state.mood = 'well';
    for (let at = 0; at < 3; at += 1) await store.admit('a', 3);
    clock.advance(1_000);
    expect((await limiter.admit('a', 3)).allowed).toBe(true);
    await nextTurn();
    expect((await limiter.admit('a', 3)).allowed).toBe(false);
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });
});

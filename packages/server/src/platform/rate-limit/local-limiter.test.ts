import { ManualClock } from '@tps/testing/time';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LocalLimiter } from './local-limiter.ts';

const WINDOW_MS = 60_000;

function limiter(options: { maxKeys?: number } = {}) {
  const clock = new ManualClock();
  return { clock, limiter: new LocalLimiter({ clock, ...options }) };
}

/** The rule in its simplest form: keep every admission, count those younger than the window. */
class NaiveLimiter {
  readonly #admissions: { key: string; atMs: number }[] = [];

  admit(key: string, { limit, nowMs }: { limit: number; nowMs: number }) {
    const inWindow = this.#admissions.filter((each) => each.key === key && nowMs - each.atMs < WINDOW_MS);
    const allowed = inWindow.length < limit;
    if (allowed) {
      const admission = { key, atMs: nowMs };
      this.#admissions.push(admission);
      inWindow.push(admission);
    }
    const oldestMs = inWindow[0]?.atMs ?? nowMs;
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - inWindow.length),
      resetAt: Math.ceil((oldestMs + WINDOW_MS) / 1000),
    };
  }
}

const step = fc.record({
  key: fc.constantFrom('a', 'b', 'c'),
  waitMs: fc.oneof(fc.nat(50), fc.nat(5_000), fc.constantFrom(0, WINDOW_MS - 1, WINDOW_MS, WINDOW_MS + 1)),
  limit: fc.oneof({ weight: 5, arbitrary: fc.constant(20) }, { weight: 1, arbitrary: fc.nat(40) }),
});

describe('against the naive rule', () => {
  test('every result is the same for any keys, times and limits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 300, size: 'max' }), async (steps) => {
        const { clock, limiter: real } = limiter();
        const naive = new NaiveLimiter();
        for (const { key, waitMs, limit } of steps) {
          clock.advance(waitMs);
          const { retryAfterSeconds, ...answer } = await real.admit(key, limit);
          expect(answer).toEqual(naive.admit(key, { limit, nowMs: clock.now() }));
          expect(retryAfterSeconds === 0).toBe(answer.allowed);
        }
      }),
    );
  });

  test('no 60-second window ever holds more than the limit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3_000), { maxLength: 300, size: 'max' }), async (waits) => {
        const { clock, limiter: real } = limiter();
        const admittedAt: number[] = [];
        for (const waitMs of waits) {
          clock.advance(waitMs);
          if ((await real.admit('a', 7)).allowed) admittedAt.push(clock.now());
        }
        for (const [index, atMs] of admittedAt.entries()) {
          const eighth = admittedAt[index + 7];
          if (eighth !== undefined) expect(eighth - atMs).toBeGreaterThanOrEqual(WINDOW_MS);
        }
      }),
    );
  });

  test('a request that waits as long as told is admitted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4_000), { maxLength: 60, size: 'max' }),
        fc.integer({ min: 1, max: 20 }),
        async (waits, lowered) => {
          const { clock, limiter: real } = limiter();
          for (const waitMs of waits) {
            clock.advance(waitMs);
            await real.admit('a', 20);
          }
          const answer = await real.admit('a', lowered);
          if (answer.allowed) return;
          expect(answer.retryAfterSeconds).toBeGreaterThanOrEqual(1);
          clock.advance(answer.retryAfterSeconds * 1000);
          expect((await real.admit('a', lowered)).allowed).toBe(true);
        },
      ),
    );
  });
});

describe('parts of a limit', () => {
  const reserves = { programs: 3, devices: 2, people: 4 };
  const use = fc.record({
    part: fc.constantFrom('programs' as const, 'devices' as const, 'people' as const),
    times: fc.integer({ min: 1, max: 15 }),
    waitMs: fc.oneof(fc.constant(0), fc.nat(20_000), fc.constantFrom(WINDOW_MS - 1, WINDOW_MS)),
  });

  test('together never exceed it, and each gets its reserve under any load of the others', async () => {
    await fc.assert(
      // Less than ten minutes in total, so that all parts stay in use.
      fc.asyncProperty(fc.array(use, { minLength: 1, maxLength: 9, size: 'max' }), async (uses) => {
        const { clock, limiter: real } = limiter();
        const admissions: { part: string; atMs: number }[] = [];
        const admit = async (part: 'programs' | 'devices' | 'people') => {
          const { allowed } = await real.admit('a', 12, { part, holder: part, reserves });
          if (allowed) admissions.push({ part, atMs: clock.now() });
          return allowed;
        };
        // All parts are in use from the beginning.
        for (const part of ['programs', 'devices', 'people'] as const) await admit(part);
        for (const { part, times, waitMs } of uses) {
          clock.advance(waitMs);
          for (let sent = 0; sent < times; sent += 1) {
            const inWindow = admissions.filter(({ atMs }) => clock.now() - atMs < WINDOW_MS);
            const own = inWindow.filter((each) => each.part === part).length;
            const allowed = await admit(part);
            if (own < reserves[part]) expect(allowed).toBe(true);
            if (inWindow.length >= 12) expect(allowed).toBe(false);
          }
        }
      }),
    );
  });
});

describe('an exact sliding log', () => {
  test('an admission expires after exactly 60 seconds', async () => {
    const { clock, limiter: real } = limiter();
    for (let at = 0; at < 120; at += 1) expect((await real.admit('a', 120)).allowed).toBe(true);
    clock.advance(WINDOW_MS - 1);
    expect(await real.admit('a', 120)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 1 });
    clock.advance(1);
    expect(await real.admit('a', 120)).toMatchObject({ allowed: true, remaining: 119 });
  });

  test('a limit of zero admits nothing and still responds', async () => {
    const { limiter: real } = limiter();
    expect(await real.admit('a', 0)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 60 });
    expect(real.size).toBe(0);
  });

  test('a clock set back blocks no key for longer than the window', async () => {
    const { clock, limiter: real } = limiter();
    await real.admit('a', 1);
    clock.advance(-3_600_000);
    expect((await real.admit('a', 1)).allowed).toBe(false);
    clock.advance(WINDOW_MS);
    expect((await real.admit('a', 1)).allowed).toBe(true);
  });
});

describe('the bound on keys', () => {
  test('is never exceeded', async () => {
    const { limiter: real } = limiter({ maxKeys: 100 });
    for (let at = 0; at < 1_000; at += 1) await real.admit(`key ${at}`, 5);
    expect(real.size).toBe(100);
  });

  test('evicts a key that has left the window before one that has not', async () => {
    const { clock, limiter: real } = limiter({ maxKeys: 2 });
    await real.admit('busy', 2);
    await real.admit('idle', 2);
    clock.advance(WINDOW_MS - 1);
    await real.admit('busy', 2);
    clock.advance(1);
    await real.admit('new', 2);
    expect((await real.admit('busy', 1)).allowed).toBe(false);
    expect((await real.admit('idle', 1)).allowed).toBe(true);
  });
});

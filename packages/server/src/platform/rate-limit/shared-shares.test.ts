import { randomUUID } from 'node:crypto';
import { repetitions } from '@tps/testing/soak';
import { ManualClock } from '@tps/testing/time';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LocalLimiter } from './local-limiter.ts';
import type { Admission } from './rate-limiter.ts';
import type { Share } from './share.ts';
import { SharedLimiter } from './shared-limiter.ts';
import { useLimiterDatabase } from './testing/limiter-database.ts';

const database = useLimiterDatabase();

/** What nodes of a version that knows no shares call. */
const ADMIT_OF_OLDER_VERSION = 'SELECT * FROM admit_requests($1, $2, $3, $4, $5)';

/** Without times, which are those of different clocks. */
function toComparable({ allowed, limit, remaining }: Admission) {
  return { allowed, limit, remaining };
}

const reserves = { programs: 3, devices: 2, people: 4 };
const asked = fc.record({
  part: fc.constantFrom('programs' as const, 'devices' as const, 'people' as const),
  holder: fc.constantFrom('one', 'other'),
  holderLimit: fc.constantFrom(undefined, undefined, 5),
  reserves: fc.constantFrom(reserves, reserves, { ...reserves, devices: 0 }),
});
const step = fc.record({
  share: fc.oneof({ weight: 9, arbitrary: asked }, { weight: 1, arbitrary: fc.constant(undefined) }),
  times: fc.integer({ min: 1, max: 6 }),
  limit: fc.constantFrom(12, 12, 12, 9),
  // Far from the ends of windows, because the clock of the database moves too.
  waitSeconds: fc.constantFrom(0, 0, 0, 0, 0, 17, 90, 500, 700),
});

test('each answer is that of the limiter in memory', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
      run += 1;
      const clock = new ManualClock();
      const [shared, local] = [new SharedLimiter({ pool: database.pool }), new LocalLimiter({ clock })];
      for (const { share, times, limit, waitSeconds } of steps) {
        if (waitSeconds > 0) {
          clock.advance(waitSeconds * 1_000);
          await database.letPass(waitSeconds);
        }
        const ask = (limiter: SharedLimiter | LocalLimiter) =>
          Promise.all(Array.from({ length: times }, () => limiter.admit(`key ${run}`, limit, share)));
        const [theirs, expected] = [await ask(shared), await ask(local)];
        expect(theirs.map(toComparable)).toEqual(expected.map(toComparable));
        for (const [at, { retryAfterSeconds }] of theirs.entries()) {
          expect(Math.abs(retryAfterSeconds - (expected[at]?.retryAfterSeconds ?? 0))).toBeLessThan(8);
        }
      }
    }),
    { numRuns: repetitions({ short: 8, soak: 30 }) },
  );
});

test('groups of several holders in one call are answered as one after the other', async () => {
  const names = ['programs one', 'programs other', 'devices one', 'devices other', 'people one'] as const;
  const toShare = (name: string): Share => {
    const [part, holder = ''] = name.split(' ') as [Share['part'], string];
    return { part, holder, holderLimit: part === 'devices' ? 5 : undefined, reserves };
  };
  const call = fc.record({
    // In the order in which the store takes groups.
    names: fc.subarray([...names], { minLength: 1 }).map((some) => some.toSorted()),
    times: fc.integer({ min: 1, max: 4 }),
    waitSeconds: fc.constantFrom(0, 0, 0, 17, 90),
  });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 6 }), async (calls) => {
      run += 1;
      const clock = new ManualClock();
      const [shared, local] = [new SharedLimiter({ pool: database.pool }), new LocalLimiter({ clock })];
      // All holders are in use from the beginning.
      const first = names.map((name) => ({ names: [name], times: 1, waitSeconds: 0 }));
      for (const { names: asking, times, waitSeconds } of [...first, ...first, ...calls]) {
        clock.advance(waitSeconds * 1_000);
        if (waitSeconds > 0) await database.letPass(waitSeconds);
        const ask = (limiter: SharedLimiter | LocalLimiter) =>
          Promise.all(
            asking.flatMap((name) =>
              Array.from({ length: times }, () => limiter.admit(`call ${run}`, 14, toShare(name))),
            ),
          );
        const [theirs, expected] = [await ask(shared), await ask(local)];
        expect(theirs.map(toComparable)).toEqual(expected.map(toComparable));
      }
    }),
    { numRuns: repetitions({ short: 8, soak: 30 }) },
  );
});

test('two nodes together admit no more than the limit, and each part its reserve', async () => {
  const otherPool = database.newPool();
  const nodes = [new SharedLimiter({ pool: database.pool }), new SharedLimiter({ pool: otherPool })];
  const parts = ['programs', 'devices', 'people'] as const;
  const of = (part: (typeof parts)[number]): Share => ({
    ...{ part, holder: part },
    reserves: { programs: 30, devices: 30, people: 40 },
  });
  // Each part is in use.
  for (const part of parts) await nodes[0]?.admit('a', 120, of(part));
  const counts = await Promise.all(
    parts.map(async (part) => {
      const answers = await Promise.all(
        nodes.flatMap((node) => Array.from({ length: 150 }, () => node.admit('a', 120, of(part)))),
      );
      return answers.filter(({ allowed }) => allowed).length + 1;
    }),
  );
  expect(counts[0]).toBeGreaterThanOrEqual(30);
  expect(counts[1]).toBeGreaterThanOrEqual(30);
  expect(counts[2]).toBeGreaterThanOrEqual(40);
  expect(counts.reduce((sum, count) => sum + count)).toBe(120);
  expect(await database.storedCount('a')).toBe(120);
  await otherPool.end();
});

test('what a node of an older version admits counts', async () => {
  await database.pool.query(ADMIT_OF_OLDER_VERSION, [['a'], [120], [100], [randomUUID()], 60_000]);
  const share: Share = { part: 'people', holder: 'acc_1', reserves: { ...reserves, programs: 0 } };
  expect(await new SharedLimiter({ pool: database.pool }).admit('a', 120, share)).toMatchObject({
    remaining: 17,
  });
});

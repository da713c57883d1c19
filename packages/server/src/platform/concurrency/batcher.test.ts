import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBatcher } from './batcher.ts';

type Outcome = PromiseSettledResult<string>;
const done = (value: string): Outcome => ({ status: 'fulfilled', value });
const failed = (reason: unknown): Outcome => ({ status: 'rejected', reason });

/** A run that the test ends by hand. `runs` holds the batches in the order they were started. */
function byHand({ maxBatch = 100, maxQueue = 100, lineOf = (_item: string): string => '' } = {}) {
  const runs: { items: string[]; end: (outcomes: Outcome[]) => void; fail: (error: Error) => void }[] = [];
  const batcher = createBatcher<string, string>({
    run: (items) => new Promise((end, fail) => runs.push({ items, end, fail })),
    maxBatch,
    maxQueue,
    lineOf,
  });
  return { batcher, runs };
}

describe('forming batches', () => {
  test('items submitted in one turn run together in the next', async () => {
    const { batcher, runs } = byHand();
    const answers = Promise.all(['a', 'b', 'c'].map((item) => batcher.submit(item)));
    expect(runs).toHaveLength(0);
    await nextTurn();
    expect(runs.map(({ items }) => items)).toEqual([['a', 'b', 'c']]);
    runs[0]?.end(['A', 'B', 'C'].map(done));
    expect(await answers).toEqual(['A', 'B', 'C']);
  });

  test('items that arrive while a batch runs form the next one, and never run beside it', async () => {
    const { batcher, runs } = byHand();
    const first = batcher.submit('a');
    await nextTurn();
    const second = batcher.submit('b');
    await nextTurn();
    const third = batcher.submit('c');
    await nextTurn();
    expect(runs).toHaveLength(1);
    expect(batcher.pending()).toBe(3);
    runs[0]?.end([done('A')]);
    expect(await first).toBe('A');
    await nextTurn();
    await nextTurn();
    expect(runs[1]?.items).toEqual(['b', 'c']);
    runs[1]?.end([done('B'), done('C')]);
    expect(await Promise.all([second, third])).toEqual(['B', 'C']);
    expect(batcher.pending()).toBe(0);
  });

  test('a batch never exceeds its bound and keeps the order', async () => {
    const { batcher, runs } = byHand({ maxBatch: 2 });
    const answers = Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => batcher.submit(item)));
    for (let at = 0; at < 3; at += 1) {
      await nextTurn();
      const items = runs[at]?.items ?? [];
      runs[at]?.end(items.map(done));
      await nextTurn();
    }
    expect(await answers).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(runs.map(({ items }) => items)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  test('heavy items form smaller batches, and an item over the bound is alone', async () => {
    const batches: string[][] = [];
    const batcher = createBatcher<string, string>({
      run: (items) => Promise.resolve(items.map(done)).finally(() => batches.push(items)),
      maxBatch: 5,
      maxQueue: 100,
      weigh: ({ length }) => length,
    });
    const items = ['aa', 'aaa', 'a', 'aaaaaaa', 'aaaa', 'aa'];
    expect(await Promise.all(items.map((item) => batcher.submit(item)))).toEqual(items);
    expect(batches).toEqual([['aa', 'aaa'], ['a'], ['aaaaaaa'], ['aaaa'], ['aa']]);
  });
});

describe('outcomes', () => {
  test('one rejected item does not affect its batch', async () => {
    const { batcher, runs } = byHand();
    const answers = Promise.allSettled([batcher.submit('a'), batcher.submit('b')]);
    await nextTurn();
    const reason = new Error('refused');
    runs[0]?.end([failed(reason), done('B')]);
    expect(await answers).toEqual([failed(reason), done('B')]);
  });

  test('a run that throws fails exactly its own batch', async () => {
    const { batcher, runs } = byHand();
    const first = Promise.allSettled([batcher.submit('a'), batcher.submit('b')]);
    await nextTurn();
    const later = batcher.submit('c');
    const error = new Error('store down');
    runs[0]?.fail(error);
    expect(await first).toEqual([failed(error), failed(error)]);
    await nextTurn();
    await nextTurn();
    runs[1]?.end([done('C')]);
    expect(await later).toBe('C');
  });

  test('a run that returns too few outcomes fails its batch instead of hanging a caller', async () => {
    const { batcher, runs } = byHand();
    const answers = Promise.allSettled([batcher.submit('a'), batcher.submit('b')]);
    await nextTurn();
    runs[0]?.end([done('A')]);
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('under any schedule each item gets its own outcome exactly once', async () => {
    const plan = fc.array(fc.record({ burst: fc.integer({ min: 1, max: 9 }), refuse: fc.nat(3) }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 5 }), async (bursts, maxBatch) => {
        const ran: number[] = [];
        const batcher = createBatcher<number, number>({
          run: async (items) => {
            ran.push(...items);
            await nextTurn();
            return items.map((item) =>
              item % 4 === 3 ? { status: 'rejected', reason: item } : { status: 'fulfilled', value: item },
            );
          },
          maxBatch,
          maxQueue: 1_000,
        });
        const answers: Promise<PromiseSettledResult<number>[]>[] = [];
        let next = 0;
        for (const { burst } of bursts) {
          const items = Array.from({ length: burst }, () => next++);
          answers.push(Promise.allSettled(items.map((item) => batcher.submit(item))));
          await nextTurn();
        }
        await batcher.close();
        const outcomes = (await Promise.all(answers)).flat();
        expect(ran).toEqual(Array.from({ length: next }, (_, item) => item));
        expect(
          outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason)),
        ).toEqual(ran);
        expect(outcomes.every(({ status }, item) => (status === 'rejected') === (item % 4 === 3))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

describe('bounds', () => {
  test('a full queue rejects with a retry delay', async () => {
    const { batcher, runs } = byHand({ maxQueue: 2 });
    const waiting = [batcher.submit('a'), batcher.submit('b')];
    await expect(batcher.submit('c')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    await nextTurn();
    runs[0]?.end([done('A'), done('B')]);
    expect(await Promise.all(waiting)).toEqual(['A', 'B']);
  });

  test('lines take turns, and a full queue rejects the newest item of the longest', async () => {
    const lineOf = ([line = '']: string) => line;
    const { batcher, runs } = byHand({ maxBatch: 2, maxQueue: 5, lineOf });
    const first = batcher.submit('a0');
    await nextTurn();
    const waiting = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map((item) => batcher.submit(item));
    await expect(waiting[3]).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    runs[0]?.end([done('A0')]);
    await first;
    await nextTurn();
    expect(runs[1]?.items).toEqual(['a1', 'b1']);
    runs[1]?.end([done('A1'), done('B1')]);
    await nextTurn();
    await nextTurn();
    expect(runs[2]?.items).toEqual(['c1', 'a2']);
  });

  test('an item that does not fit is first in the next batch, after lighter ones of other lines', async () => {
    const batches: string[][] = [];
    const batcher = createBatcher<string, string>({
      run: (items) => Promise.resolve(items.map(done)).finally(() => batches.push(items)),
      maxBatch: 5,
      maxQueue: 100,
      weigh: ({ length }) => length,
      lineOf: ([line = '']) => line,
    });
    await Promise.all(['aaa', 'bbbb', 'c', 'bb'].map((item) => batcher.submit(item)));
    expect(batches).toEqual([['aaa', 'c'], ['bbbb'], ['bb']]);
  });

  test('close drains the queue and rejects later items', async () => {
    const { batcher, runs } = byHand({ maxBatch: 1 });
    const answers = Promise.all([batcher.submit('a'), batcher.submit('b')]);
    let isClosed = false;
    const closing = batcher.close().then(() => {
      isClosed = true;
    });
    await expect(batcher.submit('c')).rejects.toMatchObject({ code: 'unavailable' });
    await nextTurn();
    runs[0]?.end([done('A')]);
    await nextTurn();
    await nextTurn();
    expect(isClosed).toBe(false);
    runs[1]?.end([done('B')]);
    await closing;
    expect(await answers).toEqual(['A', 'B']);
  });

  test('closing an idle batcher resolves at once, also twice', async () => {
    const { batcher } = byHand();
    await batcher.close();
    await batcher.close();
  });
});

test('batches overlap up to the limit, and the next starts before the last returns its outcomes', async () => {
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const batcher = createBatcher<string, string>({
    run: async (items) => {
      order.push(`begin ${items.join('')}`);
      await new Promise<void>((resolve) => ends.push(resolve));
      return items.map((value) => ({ status: 'fulfilled', value }));
    },
    maxBatch: 1,
    concurrency: 2,
    maxQueue: 10,
  });
  const outcomes = ['a', 'b', 'c'].map((item) => batcher.submit(item).then((value) => order.push(value)));
  await nextTurn();
  await nextTurn();
  expect(order).toEqual(['begin a', 'begin b']);
  ends.shift()?.();
  await nextTurn();
  await nextTurn();
  expect(order).toEqual(['begin a', 'begin b', 'begin c', 'a']);
  for (const end of ends) end();
  await Promise.all(outcomes);
  await batcher.close();
});

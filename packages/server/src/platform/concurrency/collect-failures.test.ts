import { expect, test } from 'vitest';
import { FailureCollector } from './collect-failures.ts';

const useful = async () => undefined;
const fail = (message: string) => async () => {
  throw new Error(message);
};

test('a failing piece does not stop the others; all failures are reported with their causes', async () => {
  const attempts = new FailureCollector({ assertUsable: useful });
  expect(await attempts.run('one', async () => 1)).toBe(1);
  expect(await attempts.run('two', fail('broken'))).toBeUndefined();
  expect(await attempts.run('three', async () => 3)).toBe(3);
  const inner = new AggregateError([new Error('a'), new Error('b')]);
  await attempts.run('four', () => Promise.reject(inner));
  expect(() => attempts.throwIfAny()).toThrow('3 failed: two: broken; four: a; four: b');
  const [first] = catchAggregate(attempts).errors;
  expect(first).toMatchObject({ message: 'two', cause: new Error('broken') });
});

test('end does not throw without a failure', async () => {
  const attempts = new FailureCollector({ assertUsable: useful });
  await attempts.run('one', async () => undefined);
  attempts.throwIfAny();
});

test('an abort passes through at once, also as the failure of the current piece', async () => {
  const controller = new AbortController();
  const attempts = new FailureCollector({ signal: controller.signal, assertUsable: useful });
  const reason = new Error('stop');
  const underWay = attempts.run('one', async () => {
    controller.abort(reason);
    throw new Error('interrupted');
  });
  await expect(underWay).rejects.toBe(reason);
  let isDone = false;
  const next = attempts.run('two', async () => {
    isDone = true;
  });
  await expect(next).rejects.toBe(reason);
  expect(isDone).toBe(false);
  attempts.throwIfAny();
});

test('failures are thrown at once when continuing is pointless', async () => {
  const attempts = new FailureCollector({ assertUsable: fail('the store is unavailable') });
  await expect(attempts.run('one', fail('broken'))).rejects.toThrow('1 failed: one: broken');
});

test('only the first failures are kept, but all are counted', async () => {
  const attempts = new FailureCollector({ assertUsable: useful });
  for (let index = 0; index < 50; index += 1) await attempts.run(`${index}`, fail('x'));
  expect(catchAggregate(attempts).errors).toHaveLength(20);
  expect(() => attempts.throwIfAny()).toThrow(/^50 failed: 0: x; /);
});

test('the event loop gets a turn before each piece, even if pieces never yield', async () => {
  const attempts = new FailureCollector({ assertUsable: useful });
  let turns = 0;
  const turn = () => {
    turns += 1;
    timer = setImmediate(turn);
  };
  let timer = setImmediate(turn);
  for (let index = 0; index < 10; index += 1) await attempts.run('one', async () => undefined);
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(9);
});

function catchAggregate(attempts: FailureCollector): AggregateError {
  try {
    attempts.throwIfAny();
  } catch (error) {
    if (error instanceof AggregateError) return error;
  }
  throw new Error('nothing has failed');
}

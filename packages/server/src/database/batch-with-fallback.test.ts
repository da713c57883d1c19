import { expect, test } from 'vitest';
import { ServiceError } from '../platform/service-error.ts';
import { batchWithFallback } from './batch-with-fallback.ts';

/** Letters have one owner, digits another. */
const ownerOf = (item: string) => (/\d/.test(item) ? 'digits' : 'letters');

/** Work on letters of which each transaction is written down; one that holds `x` fails. */
function startWork(failure: Error) {
  const transactions: string[] = [];
  const transact = async (items: readonly string[]) => {
    transactions.push(items.join(''));
    if (items.includes('x')) throw failure;
    return items.map((value) => ({ status: 'fulfilled', value }) as const);
  };
  return { transactions, transact };
}

test('all items share one transaction if none fails', async () => {
  const { transactions, transact } = startWork(new Error('never'));
  expect(await batchWithFallback(['a', 'b'], transact, ownerOf)).toMatchObject([
    { value: 'a' },
    { value: 'b' },
  ]);
  expect(transactions).toEqual(['ab']);
});

test('a failing item does not fail the others, and outcomes keep their order', async () => {
  const failure = new Error('unforeseen');
  const { transactions, transact } = startWork(failure);
  expect(await batchWithFallback(['a', 'x', 'b'], transact, ownerOf)).toEqual([
    { status: 'fulfilled', value: 'a' },
    { status: 'rejected', reason: failure },
    { status: 'fulfilled', value: 'b' },
  ]);
  expect(transactions).toEqual(['axb', 'a', 'x', 'b']);
});

test('nothing is retried while the store is unavailable, nor a single item', async () => {
  const away = startWork(new ServiceError('unavailable', 'The store is away'));
  await expect(batchWithFallback(['a', 'x'], away.transact, ownerOf)).rejects.toThrow('away');
  const alone = startWork(new Error('unforeseen'));
  await expect(batchWithFallback(['x'], alone.transact, ownerOf)).rejects.toThrow('unforeseen');
  expect([...away.transactions, ...alone.transactions]).toEqual(['ax', 'x']);
});

test('a failing item does not fail the items of other owners', async () => {
  const { transactions, transact } = startWork(new Error('unforeseen'));
  const outcomes = await batchWithFallback(['a', '1', 'x', '2'], transact, ownerOf);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(transactions).toEqual(['a1x2', 'ax', '12', 'a', 'x']);
});

test('items of an owner that waited too long for a lock are not tried one by one', async () => {
  const cause = Object.assign(new Error('lock timeout'), { code: '55P03' });
  const { transactions, transact } = startWork(new ServiceError('unavailable', 'locked', { cause }));
  const outcomes = await batchWithFallback(['a', '1', 'x'], transact, ownerOf);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
  expect(transactions).toEqual(['a1x', 'ax', '1']);
});

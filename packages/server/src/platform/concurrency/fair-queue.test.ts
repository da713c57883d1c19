import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const MIB = 1024 * 1024;

function waiter(line: string, name: string, bytes = 0) {
  return { line, name, bytes };
}

function takeAll(queue: FairQueue<ReturnType<typeof waiter>>): string[] {
  const names: string[] = [];
  for (let next = queue.next(); next; next = queue.next()) names.push(next.name);
  return names;
}

function queueOf(waiters: number, bytes = 100 * MIB) {
  return new FairQueue<ReturnType<typeof waiter>>({ waiters, bytes });
}

test('lines take turns, and the work of each line keeps its order', () => {
  const queue = queueOf(10);
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(waiter(name[0] as string, name));
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('in a full queue, the line with the most work gives way to one with less', () => {
  const queue = queueOf(3);
  for (const name of ['a1', 'a2', 'a3']) expect(queue.add(waiter('a', name))).toEqual([]);
  expect(queue.add(waiter('b', 'b1')).map(({ name }) => name)).toEqual(['a3']);
  expect(queue.add(waiter('a', 'a4')).map(({ name }) => name)).toEqual(['a4']);
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'a2']);
});

test('waiting bytes are limited, but one item always fits', () => {
  const queue = queueOf(10, 10 * MIB);
  expect(queue.add(waiter('a', 'a1', 16 * MIB))).toEqual([]);
  expect(queue.add(waiter('b', 'b1', MIB)).map(({ name }) => name)).toEqual(['a1']);
  expect(queue.add(waiter('b', 'b2', 9 * MIB))).toEqual([]);
  expect(queue.add(waiter('b', 'b3', 1)).map(({ name }) => name)).toEqual(['b3']);
  expect(takeAll(queue)).toEqual(['b1', 'b2']);
  expect(queue.add(waiter('a', 'a2', 10 * MIB))).toEqual([]);
});

test('removed work frees its place in the queue', () => {
  const queue = queueOf(2);
  const [one, other] = [waiter('a', 'a1'), waiter('b', 'b1')];
  queue.add(one);
  queue.add(other);
  queue.remove(one);
  queue.remove(one);
  expect(queue.add(waiter('b', 'b2'))).toEqual([]);
  expect(takeAll(queue)).toEqual(['b1', 'b2']);
  queue.remove(other);
  expect(queue.next()).toBeUndefined();
});

test('a line that may not run keeps its place, and the others continue', () => {
  const queue = queueOf(10);
  for (const name of ['a1', 'a2', 'b1', 'c1']) queue.add(waiter(name[0] as string, name));
  const notA = (line: string) => line !== 'a';
  expect(queue.next(notA)?.name).toBe('b1');
  expect(queue.next(notA)?.name).toBe('c1');
  expect(queue.next(notA)).toBeUndefined();
  expect(takeAll(queue)).toEqual(['a1', 'a2']);
});

import { expect, test } from 'vitest';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { FairQueue } from './fair-queue.ts';

const MIB = 1024 * 1024;

function waiter(tenant: string, name: string, bytes = 0) {
  return { tenantId: tenant as TenantId, name, bytes };
}

function takeAll(line: FairQueue<ReturnType<typeof waiter>>): string[] {
  const names: string[] = [];
  for (let next = line.next(); next; next = line.next()) names.push(next.name);
  return names;
}

function lineOf(waiters: number, bytes = 100 * MIB) {
  return new FairQueue<ReturnType<typeof waiter>>({ waiters, bytes });
}

test('tenants take turns, and each is served in its own order', () => {
  const line = lineOf(10);
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) line.add(waiter(name[0] as string, name));
  expect(takeAll(line)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('who has most of a full line gives way to who has less', () => {
  const line = lineOf(3);
  for (const name of ['a1', 'a2', 'a3']) expect(line.add(waiter('a', name))).toEqual([]);
  expect(line.add(waiter('b', 'b1')).map(({ name }) => name)).toEqual(['a3']);
  expect(line.add(waiter('a', 'a4')).map(({ name }) => name)).toEqual(['a4']);
  expect(takeAll(line)).toEqual(['a1', 'b1', 'a2']);
});

test('bytes that wait are bounded, and one always fits', () => {
  const line = lineOf(10, 10 * MIB);
  expect(line.add(waiter('a', 'a1', 16 * MIB))).toEqual([]);
  expect(line.add(waiter('b', 'b1', MIB)).map(({ name }) => name)).toEqual(['a1']);
  expect(line.add(waiter('b', 'b2', 9 * MIB))).toEqual([]);
  expect(line.add(waiter('b', 'b3', 1)).map(({ name }) => name)).toEqual(['b3']);
  expect(takeAll(line)).toEqual(['b1', 'b2']);
  expect(line.add(waiter('a', 'a2', 10 * MIB))).toEqual([]);
});

test('what has left the line is not in it, and leaves room', () => {
  const line = lineOf(2);
  const [one, other] = [waiter('a', 'a1'), waiter('b', 'b1')];
  line.add(one);
  line.add(other);
  line.remove(one);
  line.remove(one);
  expect(line.add(waiter('b', 'b2'))).toEqual([]);
  expect(takeAll(line)).toEqual(['b1', 'b2']);
  line.remove(other);
  expect(line.next()).toBeUndefined();
});

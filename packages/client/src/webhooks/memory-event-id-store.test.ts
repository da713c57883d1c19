import { expect, test } from 'vitest';
import type { EventIdClaim, EventIdStore } from './event-id-store.ts';
import { createMemoryEventIdStore } from './memory-event-id-store.ts';

function createClock() {
  let nowMs = 1_000_000;
  const advanceS = (seconds: number) => {
    nowMs += seconds * 1000;
  };
  return { clock: () => nowMs, advanceS };
}

async function claimFirst(store: EventIdStore, key: string) {
  const claim = await store.claim(key);
  if (claim.status !== 'claimed') throw new Error(`${key} is ${claim.status}`);
  return claim;
}

async function handle(store: EventIdStore, key: string): Promise<void> {
  await (await claimFirst(store, key)).confirm();
}

const statusOf = async (store: EventIdStore, key: string) => (await store.claim(key)).status;

test('of concurrent callers one gets the claim', async () => {
  const store = createMemoryEventIdStore();
  const claims: EventIdClaim[] = await Promise.all(Array.from({ length: 50 }, () => store.claim('evt_1')));
  expect(claims.map(({ status }) => status).toSorted()).toEqual([...Array(49).fill('busy'), 'claimed']);
});

test('a confirmed event is handled, a released one can be claimed again', async () => {
  const store = createMemoryEventIdStore();
  await handle(store, 'evt_1');
  await (await claimFirst(store, 'evt_2')).release();
  expect(await statusOf(store, 'evt_1')).toBe('handled');
  expect(await statusOf(store, 'evt_2')).toBe('claimed');
  expect(await statusOf(store, 'evt_2')).toBe('busy');
});

test('an event is remembered for a day', async () => {
  const { clock, advanceS } = createClock();
  const store = createMemoryEventIdStore({ clock });
  await handle(store, 'evt_1');
  advanceS(86_399);
  expect(await statusOf(store, 'evt_1')).toBe('handled');
  advanceS(1);
  expect(await statusOf(store, 'evt_1')).toBe('claimed');
});

test('a full store drops the event that was handled first', async () => {
  const store = createMemoryEventIdStore({ maxEntries: 2 });
  for (const key of ['evt_1', 'evt_2', 'evt_3']) await handle(store, key);
  expect(await statusOf(store, 'evt_3')).toBe('handled');
  expect(await statusOf(store, 'evt_2')).toBe('handled');
  expect(await statusOf(store, 'evt_1')).toBe('claimed');
});

test('claims are not dropped when the store is full: the next caller has to wait', async () => {
  const store = createMemoryEventIdStore({ maxEntries: 2 });
  const first = await claimFirst(store, 'evt_1');
  await claimFirst(store, 'evt_2');
  expect(await statusOf(store, 'evt_3')).toBe('busy');
  await first.confirm();
  expect(await statusOf(store, 'evt_3')).toBe('claimed');
});

test('a claim that is never settled expires', async () => {
  const { clock, advanceS } = createClock();
  const store = createMemoryEventIdStore({ clock, leaseS: 60 });
  await claimFirst(store, 'evt_1');
  advanceS(59);
  expect(await statusOf(store, 'evt_1')).toBe('busy');
  advanceS(1);
  expect(await statusOf(store, 'evt_1')).toBe('claimed');
});

test('a caller that lost the claim to another cannot release it', async () => {
  const { clock, advanceS } = createClock();
  const store = createMemoryEventIdStore({ clock, leaseS: 60 });
  const slow = await claimFirst(store, 'evt_1');
  advanceS(60);
  await claimFirst(store, 'evt_1');
  await slow.release();
  expect(await statusOf(store, 'evt_1')).toBe('busy');
});

test('an event handled after the claim was lost counts as handled', async () => {
  const { clock, advanceS } = createClock();
  const store = createMemoryEventIdStore({ clock, leaseS: 60 });
  const slow = await claimFirst(store, 'evt_1');
  advanceS(60);
  const next = await claimFirst(store, 'evt_1');
  await slow.confirm();
  await next.release();
  expect(await statusOf(store, 'evt_1')).toBe('handled');
});

test('an event handled twice does not delay the expiry of others', async () => {
  const { clock, advanceS } = createClock();
  const store = createMemoryEventIdStore({ clock, ttlS: 100, leaseS: 10 });
  const slow = await claimFirst(store, 'evt_1');
  advanceS(10);
  const next = await claimFirst(store, 'evt_1');
  await slow.confirm();
  await handle(store, 'evt_2');
  advanceS(50);
  await next.confirm();
  advanceS(50);
  expect(await statusOf(store, 'evt_2')).toBe('claimed');
  expect(await statusOf(store, 'evt_1')).toBe('handled');
});

test.each([
  { ttlS: 0 },
  { ttlS: Number.NaN },
  { maxEntries: 0 },
  { maxEntries: Number.POSITIVE_INFINITY },
  { leaseS: -1 },
])('%o is rejected: such a store would keep everything or nothing', (options) => {
  expect(() => createMemoryEventIdStore(options)).toThrow(TypeError);
});

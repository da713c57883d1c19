import { expect, test } from 'vitest';
import { dyingStorage } from '../testing/faulty-storage.ts';
import { chainEvents, collect, MIB, newRecord, openStoreOn, storeGround } from '../testing/store-builders.ts';
import type { EventStore, NewRecord } from './event-store.ts';

/** What is known outside the process: acknowledged events, and events that the service received. */
interface Known {
  readonly persisted: Set<string>;
  readonly received: Map<string, string>;
}

/** Receives events as the service does: repeats are accepted, other content under a known id is not. */
function receive(known: Known, events: readonly { event_id: string }[]) {
  for (const event of events) {
    const text = JSON.stringify(event);
    expect(known.received.get(event.event_id) ?? text).toBe(text);
    known.received.set(event.event_id, text);
  }
}

async function record(store: EventStore, known: Known, records: NewRecord[]) {
  if ((await store.append(records)) === 'persisted') {
    for (const { event } of records) {
      known.persisted.add(event.event_id);
    }
  }
}

async function uploadOnce(store: EventStore, known: Known, maxEvents: number) {
  const batch = await store.seal({ maxEvents, maxBytes: MIB });
  receive(known, batch?.events ?? []);
  const [first, ...rest] = batch?.events ?? [];
  if (first !== undefined) {
    await store.settle([{ eventId: first.event_id, kind: 'archived' }]);
    await store.settle(rest.map(({ event_id }) => ({ eventId: event_id, kind: 'archived' })));
  }
}

/** Exercises every operation. Fills more than a segment, so that one is retired and one removed. */
async function work(store: EventStore, known: Known) {
  const large = { description: 'd'.repeat(4000) };
  await record(store, known, [newRecord(1, large), newRecord(2, { severity: 'high' }), newRecord(3)]);
  await uploadOnce(store, known, 2);
  await record(store, known, [
    newRecord(4),
    newRecord(5, { corrects_event_id: 'evt_4', severity: 'critical' }),
  ]);
  await store.rewrap();
  for (let number = 6; number < 15; number += 1) {
    await record(store, known, [newRecord(number, large)]);
  }
  await uploadOnce(store, known, 50);
  await store.removeArchivedBefore(Date.parse('2026-03-02T10:00:01.000Z'));
  await record(store, known, [newRecord(20)]);
  await store.close();
}

/** An earlier run of the process, which ended normally. */
async function runOnce(ground: Awaited<ReturnType<typeof storeGround>>, known: Known) {
  const store = await openStoreOn(ground, { budgetBytes: MIB });
  await record(store, known, [newRecord(50), newRecord(51, { severity: 'critical' })]);
  await uploadOnce(store, known, 1);
  await store.close();
}

/** Reopens the store and delivers everything to the service. */
async function finish(ground: Awaited<ReturnType<typeof storeGround>>, known: Known) {
  const store = await openStoreOn(ground, { budgetBytes: MIB });
  const { damaged, missing } = store.state();
  const { breaks } = await store.verify();
  const numbers = (await collect(store.records())).map(({ number }) => number);
  await record(store, known, [newRecord(100)]);
  while (store.state().waiting > 0) {
    await uploadOnce(store, known, 20);
  }
  const chained = isChained(known);
  await store.close();
  return {
    damaged,
    unexplained: missing,
    breaks,
    isUnique: new Set(numbers).size === numbers.length,
    chained,
  };
}

/** Whether the received events, by sequence, equal the result of sealing them in that order. */
function isChained(known: Known): boolean {
  const events = [...known.received.values()].map((text) => JSON.parse(text));
  events.sort((one, other) => one.sequence - other.sequence);
  const plain = events.map(({ sequence: _, previous_event_hash: __, ...event }) => event);
  const again = chainEvents(plain, { sequence: 0, hash: undefined }).events;
  return JSON.stringify(again) === JSON.stringify(events);
}

/*
 * The call at which the process dies takes effect, a write by half. A call without effect need not be tested: it leaves
 * the state after the call before it.
 */
test('a crash at any call loses no acknowledged event and sends none twice', async () => {
  let deaths = 0;
  const device = await storeGround();
  for (let dieAt = 1; ; dieAt += 1) {
    const ground = { ...device, openStorage: () => device.openStorageAt(`${dieAt}`) };
    const known: Known = { persisted: new Set(), received: new Map() };
    await runOnce(ground, known);
    let calls = () => 0;
    const wrap = (storage: Parameters<typeof dyingStorage>[0]) => {
      const dying = dyingStorage(storage, dieAt, 'half');
      calls = dying.calls;
      return dying.storage;
    };
    const real = await ground.openStorage();
    const dying = { ...ground, openStorage: async () => real };
    await openStoreOn(dying, { wrap, budgetBytes: MIB, fsync: 'always' })
      .then((store) => work(store, known))
      .catch((error: Error) => expect(error.message).toBe('killed'));
    await real.close();
    const after = await finish(ground, known);
    const missing = [...known.persisted].filter((id) => !known.received.has(id));
    const expected = { damaged: 0, unexplained: 0, breaks: [], isUnique: true, chained: true };
    expect({ dieAt, missing, ...after }).toEqual({ dieAt, missing: [], ...expected });
    if (calls() < dieAt) {
      break;
    }
    deaths += 1;
  }
  expect(deaths).toBeGreaterThan(50);
});

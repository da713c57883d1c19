import { expect, test } from 'vitest';
import type { AgentStorage } from '../ports/storage.ts';
import { faultyStorage } from '../testing/faulty-storage.ts';
import {
  chainEvents,
  collect,
  hashOf,
  MIB,
  newRecord,
  openStoreOn,
  storeGround,
  WHOLE_BATCH,
} from '../testing/store-builders.ts';
import type { EventStore, SealedBatch, UploadResult } from './event-store.ts';
import { segmentName } from './segments/segment-name.ts';

function idsIn(batch: SealedBatch | undefined) {
  return batch?.events.map(({ event_id }) => event_id);
}

function archive(batch: SealedBatch | undefined): UploadResult[] {
  return (batch?.events ?? []).map(({ event_id }) => ({ eventId: event_id, kind: 'archived' }));
}

async function numbersIn(store: EventStore) {
  return (await collect(store.records())).map(({ number }) => number);
}

test('appended events are there after reopening, in order, unredacted, with their history', async () => {
  const ground = await storeGround();
  const first = await openStoreOn(ground);
  await first.append([newRecord(1), newRecord(2, { severity: 'critical' })]);
  await first.append([newRecord(3)]);
  await first.close();
  const again = await openStoreOn(ground);
  const records = await collect(again.records());
  expect(records.map(({ number, event }) => [number, event.event_id])).toEqual([
    [1, 'evt_1'],
    [2, 'evt_2'],
    [3, 'evt_3'],
  ]);
  expect(records[0]?.event.description).toContain('anna@example.org');
  expect(records[0]?.history).toEqual({
    created: '2026-03-02T09:15:03.000Z',
    enriched: '2026-03-02T09:15:03.000Z',
    persisted: '2026-03-02T10:00:00.000Z',
  });
  await again.append([newRecord(4)]);
  expect(await numbersIn(again)).toEqual([1, 2, 3, 4]);
  expect(await again.verify()).toEqual({ records: 4, breaks: [] });
});

test('no event is on disk in plaintext', async () => {
  const ground = await storeGround();
  const store = await openStoreOn(ground);
  await store.append([newRecord(1, { description: 'CANARY-7f3a' })]);
  const batch = await store.seal(WHOLE_BATCH);
  await store.settle([{ eventId: 'evt_1', kind: 'refused', status: 422, code: 'CANARY-code' }]);
  expect(batch?.events[0]?.description).toBe('CANARY-7f3a');
  await store.close();
  const storage = await ground.openStorage();
  for (const { name } of await storage.list()) {
    expect(new TextDecoder('latin1').decode(await storage.read(name, MIB))).not.toContain('CANARY');
  }
  await storage.close();
});

test('events of the highest severity are sealed first, and of those the oldest', async () => {
  const store = await openStoreOn(await storeGround());
  const severities = ['low', 'high', 'medium', 'critical', 'high', 'low', 'critical', 'medium'] as const;
  await store.append(severities.map((severity, index) => newRecord(index + 1, { severity })));
  const batch = await store.seal(WHOLE_BATCH);
  expect(idsIn(batch)).toEqual(['evt_4', 'evt_7', 'evt_2', 'evt_5', 'evt_3', 'evt_8', 'evt_1', 'evt_6']);
});

test('a correction is never sealed before the event that it corrects', async () => {
  const store = await openStoreOn(await storeGround());
  const correcting = { corrects_event_id: 'evt_1', severity: 'critical' } as const;
  await store.append([newRecord(1, { severity: 'low' }), newRecord(2, correcting), newRecord(3)]);
  expect(idsIn(await store.seal(WHOLE_BATCH))).toEqual(['evt_3', 'evt_1', 'evt_2']);
});

test('a correction waits while the corrected event is not due, even after reopening', async () => {
  const ground = await storeGround();
  const store = await openStoreOn(ground);
  await store.append([newRecord(1), newRecord(2, { corrects_event_id: 'evt_1' }), newRecord(3)]);
  await store.close();
  const again = await openStoreOn(ground);
  const isDue = ({ event_id }: { event_id: string }) => event_id !== 'evt_1';
  expect(idsIn(await again.seal({ ...WHOLE_BATCH, isDue }))).toEqual(['evt_3']);
});

test('a sealed batch does not change until each event has a result, even after reopening', async () => {
  const ground = await storeGround();
  const store = await openStoreOn(ground);
  await store.append([newRecord(1), newRecord(2), newRecord(3)]);
  const sealed = await store.seal(WHOLE_BATCH);
  await store.append([newRecord(4, { severity: 'critical' })]);
  await store.settle([{ eventId: 'evt_2', kind: 'archived' }]);
  await store.close();
  const again = await openStoreOn(ground);
  const rest = sealed?.events.filter(({ event_id }) => event_id !== 'evt_2');
  expect((await again.seal({ maxEvents: 1, maxBytes: 1 }))?.events).toEqual(rest);
  await again.settle(archive(sealed));
  await again.settle(archive(sealed));
  expect(again.state()).toMatchObject({ archived: 3, waiting: 1 });
  const next = await again.seal(WHOLE_BATCH);
  const last = sealed?.events.at(-1);
  expect(next?.events).toMatchObject([{ sequence: 4, previous_event_hash: last && hashOf(last) }]);
});

test('the chain of sent events continues after reopening a settled store', async () => {
  const ground = await storeGround();
  const store = await openStoreOn(ground);
  await store.append([newRecord(1), newRecord(2)]);
  const batch = await store.seal(WHOLE_BATCH);
  await store.settle(archive(batch));
  await store.close();
  const again = await openStoreOn(ground);
  await again.append([newRecord(3)]);
  const last = batch?.events.at(-1);
  expect((await again.seal(WHOLE_BATCH))?.events[0]).toMatchObject({
    sequence: 3,
    previous_event_hash: last && hashOf(last),
  });
});

test('after a refused last event the next names no predecessor and skips its number', async () => {
  const store = await openStoreOn(await storeGround());
  await store.append([newRecord(1), newRecord(2)]);
  await store.seal(WHOLE_BATCH);
  await store.settle([
    { eventId: 'evt_2', kind: 'refused', status: 409, code: 'event_id_conflict' },
    { eventId: 'evt_1', kind: 'archived' },
  ]);
  await store.append([newRecord(3)]);
  const [next] = (await store.seal(WHOLE_BATCH))?.events ?? [];
  expect(next?.sequence).toBe(3);
  expect(next).not.toHaveProperty('previous_event_hash');
  expect(await store.find('evt_2')).toMatchObject({
    refusal: { status: 409, code: 'event_id_conflict' },
    history: { refused: '2026-03-02T10:00:00.000Z' },
  });
  expect(store.state()).toMatchObject({ refused: 1, archived: 1, waiting: 1 });
});

test('a batch stays within its size limit as sent, and one event always fits', async () => {
  const store = await openStoreOn(await storeGround(), {
    sealEvents: (events, end) =>
      chainEvents(
        events.map((event) => ({ ...event, description: 'd'.repeat(2000) })),
        end,
      ),
  });
  await store.append(Array.from({ length: 20 }, (_, index) => newRecord(index)));
  const batch = await store.seal({ maxEvents: 500, maxBytes: 10_000 });
  expect(JSON.stringify(batch?.events).length).toBeLessThanOrEqual(10_000);
  expect(batch?.events.length).toBeGreaterThan(2);
  await store.settle(archive(batch));
  expect((await store.seal({ maxEvents: 500, maxBytes: 10 }))?.events).toHaveLength(1);
});

test('expired archived events are deleted with their keys, and no number is reused', async () => {
  const ground = await storeGround();
  const store = await openStoreOn(ground);
  await store.append([newRecord(1), newRecord(2, { severity: 'high' })]);
  await store.settle(archive(await store.seal(WHOLE_BATCH)));
  expect(await store.removeArchivedBefore(Date.parse('2026-03-02T10:00:00.000Z'))).toBe(0);
  expect(await store.removeArchivedBefore(Date.parse('2026-03-02T10:00:01.000Z'))).toBe(2);
  expect(await numbersIn(store)).toEqual([]);
  await store.close();
  const storage = await ground.openStorage();
  expect((await storage.list()).filter(({ name }) => !name.startsWith('journal'))).toEqual([]);
  await storage.close();
  for (let round = 0; round < 2; round += 1) {
    const again = await openStoreOn(ground);
    await again.append([newRecord(3 + round)]);
    await again.close();
  }
  const last = await openStoreOn(ground);
  expect(await numbersIn(last)).toEqual([3, 4]);
  expect((await last.seal(WHOLE_BATCH))?.events[0]?.sequence).toBe(3);
});

test('everything can be read after the storage key was rotated and the old one destroyed', async () => {
  const ground = await storeGround();
  const store = await openStoreOn(ground);
  await store.append([newRecord(1), newRecord(2, { severity: 'high' }), newRecord(3)]);
  await store.seal({ ...WHOLE_BATCH, maxEvents: 2 });
  await store.settle([{ eventId: 'evt_2', kind: 'archived' }]);
  await ground.keys.rotateStorageKey();
  await store.rewrap();
  await store.rewrap();
  await ground.keys.forgetOldStorageKeys();
  await store.close();
  const again = await openStoreOn(ground);
  expect(await numbersIn(again)).toEqual([1, 2, 3]);
  expect(again.state()).toMatchObject({ archived: 1, waiting: 2, damaged: 0 });
  expect(idsIn(await again.seal(WHOLE_BATCH))).toEqual(['evt_1']);
});

test('an event too large for a record is rejected, and other events are not', async () => {
  const store = await openStoreOn(await storeGround());
  const tooLarge = store.append([newRecord(1, { description: 'd'.repeat(300_000) })]);
  const other = store.append([newRecord(2)]);
  await expect(tooLarge).rejects.toThrow(TypeError);
  expect(await other).toBe('persisted');
});

test('dropped events are declared once', async () => {
  const ground = await storeGround();
  const store = await openStoreOn(ground, { budgetBytes: MIB });
  for (let at = 0; at < 1500; at += 100) {
    await store.append(
      Array.from({ length: 100 }, (_, index) => newRecord(at + index, { description: 'd'.repeat(900) })),
    );
  }
  const { undeclared } = store.state();
  expect(undeclared).toBeGreaterThan(0);
  await store.declareDropped(undeclared);
  await store.close();
  expect((await openStoreOn(ground, { budgetBytes: MIB })).state().undeclared).toBe(0);
});

test('with fsync, each written log is synced before an append resolves; without it, none', async () => {
  for (const fsync of ['always', 'never'] as const) {
    const calls: string[] = [];
    const wrap = (storage: AgentStorage) =>
      faultyStorage(storage, (call, name) => {
        calls.push(`${call} ${name}`);
        return undefined;
      });
    const store = await openStoreOn(await storeGround(), { fsync, wrap });
    await store.append([newRecord(1), newRecord(2, { severity: 'high' }), newRecord(3)]);
    const synced = calls.filter((call) => call.startsWith('sync') && !call.includes('journal')).sort();
    const both = [`sync ${segmentName('priority', 3)}.log`, `sync ${segmentName('ordinary', 2)}.log`];
    expect(synced).toEqual(fsync === 'always' ? both : []);
    await store.close();
  }
});

test('concurrent appends share one write and one sync', async () => {
  let syncs = 0;
  const wrap = (storage: AgentStorage) =>
    faultyStorage(storage, (call, name) => {
      syncs += call === 'sync' && name.startsWith('ordinary') ? 1 : 0;
      return undefined;
    });
  const store = await openStoreOn(await storeGround(), { fsync: 'always', wrap });
  await Promise.all(Array.from({ length: 100 }, (_, index) => store.append([newRecord(index)])));
  expect(syncs).toBe(1);
  expect(await numbersIn(store)).toHaveLength(100);
});

test('a new segment never reuses the name of a deleted one', async () => {
  const ground = await storeGround();
  const store = await openStoreOn(ground);
  for (const number of [1, 2, 3]) {
    await store.append([newRecord(number)]);
    await store.settle(archive(await store.seal(WHOLE_BATCH)));
    await store.removeArchivedBefore(Date.parse('2026-03-02T10:00:01.000Z'));
  }
  await store.close();
  for (const number of [4, 5, 6]) {
    const again = await openStoreOn(ground);
    await again.append([newRecord(number)]);
    await again.close();
  }
  expect(await numbersIn(await openStoreOn(ground))).toEqual([4, 5, 6]);
});

test('iterating returns the records that were stored when it began', async () => {
  const store = await openStoreOn(await storeGround());
  const record = (number: number) => store.append([newRecord(number, { description: 'x'.repeat(4000) })]);
  // Larger than a segment.
  for (let number = 1; number <= 40; number += 1) await record(number);
  const numbers: number[] = [];
  for await (const { number } of store.records()) {
    numbers.push(number);
    if (number === 1) await record(41);
  }
  expect(numbers).toHaveLength(40);
  expect(await store.verify()).toEqual({ records: 41, breaks: [] });
});

import { expect, onTestFinished, test } from 'vitest';
import { StorageError } from '../ports/storage.ts';
import { faultyStorage } from '../testing/faulty-storage.ts';
import { MIB, newRecord, openStoreOn, storeGround, WHOLE_BATCH } from '../testing/store-builders.ts';
import type { EventStore } from './event-store.ts';
import { Journal } from './journal/journal.ts';
import { JournalState } from './journal/journal-state.ts';
import { toSnapshot } from './journal/snapshot.ts';
import { loadStore } from './loading/load-store.ts';
import type { Settlement } from './segments/segment.ts';
import { LOG_LIMIT_BYTES } from './segments/segment-format.ts';
import { startSegment } from './segments/segment-writer.ts';

const START_MS = Date.parse('2026-03-02T10:00:00.000Z');
const iso = (ms: number) => new Date(START_MS + ms).toISOString();

/** Events delivered one at a time, at different times, with a refused one now and then. */
function outcomesOf(count: number): Map<number, Settlement> {
  const settlements = new Map<number, Settlement>();
  for (let number = 1; number <= count; number += 1) {
    const refusal = { status: 422, code: 'x'.repeat(64) };
    settlements.set(
      number,
      number % 50 === 0
        ? { kind: 'refused', refusedAt: iso(number), refusal }
        : { kind: 'archived', deliveredAt: iso(number), archivedAt: iso(number + 1) },
    );
  }
  return settlements;
}

async function archiveNext(store: EventStore): Promise<void> {
  const batch = await store.seal(WHOLE_BATCH);
  await store.settle((batch?.events ?? []).map(({ event_id }) => ({ eventId: event_id, kind: 'archived' })));
}

test('a journal larger than a segment of events is read back completely', async () => {
  const ground = await storeGround();
  const storage = await ground.openStorage();
  onTestFinished(() => storage.close());
  const journalState = new JournalState();
  journalState.end = { sequence: 100_000, droppedCovered: 0 };
  const settlements = outcomesOf(100_000);
  const journal = new Journal({
    storage,
    keys: ground.keys,
    journalState,
    nextCounter: () => 1,
    snapshot: () => toSnapshot(journalState, settlements),
    segmentBytes: MIB,
    before: new Map(),
  });
  await journal.restart();
  expect(journal.bytesOnDisk).toBeGreaterThan(LOG_LIMIT_BYTES);
  expect(journal.bytesOnDisk / settlements.size).toBeLessThan(55);
  await journal.close();
  const loaded = await loadStore({ storage, keys: ground.keys, budgetBytes: MIB });
  expect(loaded).toMatchObject({ damaged: 0, journalState: { end: { sequence: 100_000 } } });
});

test('a snapshot restates each settlement unchanged', () => {
  const settlements = outcomesOf(200);
  const together: Settlement = { kind: 'archived', deliveredAt: iso(0), archivedAt: iso(5) };
  for (let number = 201; number <= 300; number += 1) settlements.set(number, together);
  const restated = new JournalState();
  for (const record of toSnapshot(new JournalState(), settlements)) restated.apply(record);
  expect([...(restated.settlements ?? [])].sort(([one], [other]) => one - other)).toEqual([...settlements]);
});

test('after a failed restart the journal does not write behind its successor on disk', async () => {
  const ground = await storeGround();
  const disk = { isBroken: false };
  const error = new StorageError('failed', 'the disk fails');
  const store = await openStoreOn(ground, {
    wrap: (storage) =>
      faultyStorage(storage, (call, name) =>
        disk.isBroken && call === 'sync' && name.startsWith('journal') ? { error, done: 'yes' } : undefined,
      ),
  });
  await store.append([newRecord(1)]);
  await archiveNext(store);
  disk.isBroken = true;
  await expect(store.rewrap()).rejects.toThrow(StorageError);
  disk.isBroken = false;
  await store.recover();
  await store.append([newRecord(2)]);
  await archiveNext(store);
  await store.close();
  expect((await openStoreOn(ground)).state()).toMatchObject({ waiting: 0, archived: 2 });
});

test('a record too long to be read is not written', async () => {
  const ground = await storeGround();
  const storage = await ground.openStorage();
  onTestFinished(() => storage.close());
  const writer = await startSegment({ storage, keys: ground.keys }, 'journal-00000001');
  await expect(writer.append([new Uint8Array(256 * 1024 + 1)])).rejects.toThrow(TypeError);
});

test('a journal that cannot be closed does not keep the directory locked', async () => {
  const ground = await storeGround();
  const error = new StorageError('failed', 'the disk fails');
  const store = await openStoreOn(ground, {
    wrap: (storage) =>
      faultyStorage(storage, (call, name) =>
        call === 'close' && name.startsWith('journal') ? { error, done: 'yes' } : undefined,
      ),
  });
  await store.append([newRecord(1)]);
  await archiveNext(store);
  await expect(store.close()).rejects.toThrow(StorageError);
  expect((await openStoreOn(ground)).state()).toMatchObject({ archived: 1 });
});

/** Opens a store and counts what its journal writes. */
async function openCounted() {
  const ground = await storeGround();
  let writes = 0;
  const wrap = (storage: Parameters<typeof faultyStorage>[0]) =>
    faultyStorage(storage, (call, name) => {
      if (call === 'append' && name.startsWith('journal')) writes += 1;
      return undefined;
    });
  return { store: await openStoreOn(ground, { wrap }), writes: () => writes };
}

test('records that follow each other share one note, of the newest', async () => {
  const { store, writes } = await openCounted();
  await store.append([newRecord(1)]);
  const before = writes();
  for (let number = 2; number <= 50; number += 1) await store.append([newRecord(number)]);
  expect(writes() - before).toBeLessThanOrEqual(1);
  await store.close();
  expect(writes() - before).toBeGreaterThanOrEqual(1);
});

test('the newest record is noted even if no record follows', async () => {
  const { store, writes } = await openCounted();
  await store.append([newRecord(1)]);
  const before = writes();
  await expect.poll(writes).toBeGreaterThan(before);
  await store.close();
  expect(writes()).toBe(before + 1);
});

import { expect, onTestFinished, test } from 'vitest';
import { StorageError } from '../ports/storage.ts';
import { MIB, newRecord, openStoreOn, storeGround, WHOLE_BATCH } from '../testing/store-builders.ts';
import { faultyStorage } from '../testing/store-faulty-storage.ts';
import type { EventStore } from './event-store.ts';
import { Journal } from './journal/journal.ts';
import { Ledger } from './journal/journal-state.ts';
import { snapshotOf } from './journal/snapshot.ts';
import { loadStore } from './loading/load-store.ts';
import type { Outcome } from './segments/segment.ts';
import { LOG_LIMIT_BYTES } from './segments/segment-format.ts';
import { startSegment } from './segments/segment-writer.ts';

const START_MS = Date.parse('2026-03-02T10:00:00.000Z');
const iso = (ms: number) => new Date(START_MS + ms).toISOString();

/** Events that were delivered one at a time, each at a time of its own, with a refused one here and there. */
function outcomesOf(count: number): Map<number, Outcome> {
  const outcomes = new Map<number, Outcome>();
  for (let number = 1; number <= count; number += 1) {
    const refusal = { status: 422, code: 'x'.repeat(64) };
    outcomes.set(
      number,
      number % 50 === 0
        ? { kind: 'refused', refusedAt: iso(number), refusal }
        : { kind: 'archived', deliveredAt: iso(number), archivedAt: iso(number + 1) },
    );
  }
  return outcomes;
}

async function archiveNext(store: EventStore): Promise<void> {
  const batch = await store.seal(WHOLE_BATCH);
  await store.settle((batch?.events ?? []).map(({ event_id }) => ({ eventId: event_id, kind: 'archived' })));
}

test('a journal that restates more than a segment of events may hold is read back whole', async () => {
  const ground = await storeGround();
  const storage = await ground.openStorage();
  onTestFinished(() => storage.close());
  const ledger = new Ledger();
  ledger.end = { sequence: 100_000, droppedCovered: 0 };
  const outcomes = outcomesOf(100_000);
  const journal = new Journal({
    storage,
    keys: ground.keys,
    ledger,
    nextCounter: () => 1,
    snapshot: () => snapshotOf(ledger, outcomes),
    segmentBytes: MIB,
    before: new Map(),
  });
  await journal.restart();
  expect(journal.bytesOnDisk).toBeGreaterThan(LOG_LIMIT_BYTES);
  expect(journal.bytesOnDisk / outcomes.size).toBeLessThan(55);
  await journal.close();
  const loaded = await loadStore({ storage, keys: ground.keys, budgetBytes: MIB });
  expect(loaded).toMatchObject({ damaged: 0, ledger: { end: { sequence: 100_000 } } });
});

test('a snapshot restates each outcome as it was', () => {
  const outcomes = outcomesOf(200);
  const together: Outcome = { kind: 'archived', deliveredAt: iso(0), archivedAt: iso(5) };
  for (let number = 201; number <= 300; number += 1) outcomes.set(number, together);
  const restated = new Ledger();
  for (const record of snapshotOf(new Ledger(), outcomes)) restated.apply(record);
  expect([...(restated.outcomes ?? [])].sort(([one], [other]) => one - other)).toEqual([...outcomes]);
});

test('a journal that could not be begun anew is not written to behind its successor on disk', async () => {
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

test('a record that is too long to be read again is not written', async () => {
  const ground = await storeGround();
  const storage = await ground.openStorage();
  onTestFinished(() => storage.close());
  const writer = await startSegment({ storage, keys: ground.keys }, 'journal-00000001');
  await expect(writer.append([new Uint8Array(256 * 1024 + 1)])).rejects.toThrow(TypeError);
});

test('a journal that cannot be closed does not keep the directory', async () => {
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

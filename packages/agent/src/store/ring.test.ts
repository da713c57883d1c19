import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collect, MIB, newRecord, openStoreOn, storeGround, WHOLE_BATCH } from '../testing/store-builders.ts';
import type { StoreNotice } from './store-options.ts';

async function bytesIn(directory: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(directory)) {
    bytes += name.startsWith('lock-') ? 0 : (await stat(join(directory, name))).size;
  }
  return bytes;
}

function many(from: number, count: number, severity: 'low' | 'high' = 'low', bytes = 900) {
  return Array.from({ length: count }, (_, index) =>
    newRecord(from + index, { severity, description: 'd'.repeat(bytes) }),
  );
}

test('the oldest ordinary events are dropped first, counted and reported', async () => {
  const ground = await storeGround();
  const notices: StoreNotice[] = [];
  const store = await openStoreOn(ground, { budgetBytes: MIB, onNotice: (notice) => notices.push(notice) });
  await store.append(many(1, 100, 'high'));
  for (let at = 101; at <= 1500; at += 100) {
    await store.append(many(at, 100));
  }
  const { dropped, undeclared, waiting } = store.state();
  expect(dropped).toEqual({ low: undeclared, medium: 0, high: 0, critical: 0 });
  expect(waiting + undeclared).toBe(1500);
  const kept = (await collect(store.records())).map(({ number }) => number);
  expect(kept.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(kept.slice(100)).toEqual(
    Array.from({ length: waiting - 100 }, (_, index) => 101 + undeclared + index),
  );
  expect(notices.every(({ kind }) => kind === 'dropped')).toBe(true);
  expect(await store.verify()).toEqual({ records: waiting, breaks: [] });
  const before = store.state();
  await store.close();
  const again = await openStoreOn(ground, { budgetBytes: MIB });
  expect(again.state()).toMatchObject({ dropped: before.dropped, undeclared: before.undeclared, waiting });
  const [first] = (await again.seal(WHOLE_BATCH))?.events ?? [];
  expect(first).toMatchObject({ sequence: undeclared + 1 });
  expect(first).not.toHaveProperty('previous_event_hash');
});

test('archived events are deleted before any waiting event', async () => {
  const store = await openStoreOn(await storeGround(), { budgetBytes: MIB });
  await store.append(many(1, 100, 'high'));
  await store.append(many(101, 200));
  for (let archived = 0; archived < 100; ) {
    const batch = await store.seal({ ...WHOLE_BATCH, maxEvents: 100 - archived });
    await store.settle(
      (batch?.events ?? []).map(({ event_id }) => ({ eventId: event_id, kind: 'archived' })),
    );
    archived += batch?.events.length ?? 0;
  }
  for (let at = 301; at < 600; at += 50) {
    await store.append(many(at, 50));
  }
  const { archived, dropped } = store.state();
  expect(archived).toBeLessThan(100);
  expect(dropped.low).toBe(0);
});

test('an event of the sealed batch survives the deletion of its segment and is not dropped', async () => {
  const ground = await storeGround();
  const store = await openStoreOn(ground, { budgetBytes: MIB });
  await store.append(many(1, 50));
  const batch = await store.seal(WHOLE_BATCH);
  const inBatch = batch?.events.length ?? 0;
  expect(inBatch).toBeGreaterThan(40);
  for (let at = 51; at < 1500; at += 50) {
    await store.append(many(at, 50));
  }
  expect(await store.find('evt_1')).toBeUndefined();
  const { waiting, undeclared } = store.state();
  expect(waiting + undeclared).toBe(1500);
  await store.settle([{ eventId: 'evt_2', kind: 'archived' }]);
  await store.close();
  const again = await openStoreOn(ground, { budgetBytes: MIB });
  expect(again.state().waiting).toBe(waiting - 1);
  expect((await again.seal(WHOLE_BATCH))?.events).toEqual(
    batch?.events.filter(({ event_id }) => event_id !== 'evt_2'),
  );
});

test('the disk usage stays within the budget for any recording and uploading', async () => {
  const step = fc.record({
    count: fc.integer({ min: 1, max: 120 }),
    severity: fc.constantFrom('low' as const, 'high' as const),
    bytes: fc.constantFrom(10, 900, 4000),
    upload: fc.boolean(),
    reopen: fc.integer({ min: 0, max: 5 }).map((value) => value === 0),
  });
  const device = await storeGround();
  let [fullest, recorded] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      let store = await openStoreOn(device, { budgetBytes: MIB });
      for (const { count, severity, bytes, upload, reopen } of steps) {
        await store.append(many(recorded, count, severity, bytes));
        recorded += count;
        if (upload) {
          const batch = await store.seal(WHOLE_BATCH);
          expect(await bytesIn(device.storeDirectory)).toBeLessThanOrEqual(MIB);
          await store.settle(
            (batch?.events ?? []).map(({ event_id }) => ({ eventId: event_id, kind: 'archived' })),
          );
        }
        // This change makes the journal write its waiting note, which must not happen while the files are measured.
        await store.declareDropped(0);
        const bytesUsed = await bytesIn(device.storeDirectory);
        expect(bytesUsed).toBe(store.state().usedBytes);
        expect(bytesUsed).toBeLessThanOrEqual(MIB);
        fullest = Math.max(fullest, bytesUsed);
        if (reopen) {
          await store.close();
          store = await openStoreOn(device, { budgetBytes: MIB });
        }
      }
      const { breaks } = await store.verify();
      expect(breaks).toEqual([]);
      await store.close();
    }),
    { numRuns: 3 },
  );
  expect(fullest).toBeGreaterThan(0.7 * MIB);
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDeviceKeys } from '../node/keys/file-device-keys.ts';
import { openFileStorage } from '../node/storage/file-storage.ts';
import { type DeviceKeys, KeyError } from '../ports/keys.ts';
import { breakableStorage } from '../testing/faulty-storage.ts';
import { collect, MIB, newRecord, openStoreOn, storeGround, WHOLE_BATCH } from '../testing/store-builders.ts';
import { keyFile, logFile, segmentName } from './segments/segment-name.ts';
import type { StoreNotice } from './store-options.ts';

/** Real keys in a key store that can be locked. */
function lockableKeys(keys: DeviceKeys) {
  const state = { isLocked: true };
  const locked = new Proxy(keys, {
    get(target, member) {
      const value = Reflect.get(target, member);
      if (member !== 'createDataKey' && member !== 'unwrapDataKey') {
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return async (...args: unknown[]) => {
        if (state.isLocked) {
          throw new KeyError('unavailable', 'locked');
        }
        return Reflect.apply(value, target, args);
      };
    },
  });
  return { keys: locked, state };
}

async function breakableStore(options: Parameters<typeof openStoreOn>[1] = {}) {
  const ground = await storeGround();
  let disk: ReturnType<typeof breakableStorage>['disk'] | undefined;
  const store = await openStoreOn(ground, {
    ...options,
    wrap: (storage) => {
      const breakable = breakableStorage(storage);
      disk = breakable.disk;
      return breakable.storage;
    },
  });
  if (disk === undefined) {
    throw new Error('no disk');
  }
  return { ground, store, disk };
}

test('events are held while the key store is locked, and stored after the others later', async () => {
  const ground = await storeGround();
  const before = await openStoreOn(ground);
  await before.append([newRecord(1)]);
  await before.close();
  const { keys, state } = lockableKeys(ground.keys);
  const notices: string[] = [];
  const onNotice = ({ kind }: StoreNotice) => notices.push(kind);
  const store = await openStoreOn({ ...ground, keys }, { onNotice });
  expect(await store.append([newRecord(2), newRecord(3)])).toBe('held');
  expect(store.state()).toMatchObject({
    mode: 'safe_mode',
    reason: 'key_unavailable',
    heldInMemory: 2,
    waiting: 2,
  });
  expect(await store.seal(WHOLE_BATCH)).toBeUndefined();
  expect(await store.find('evt_2')).toMatchObject({ number: 0 });
  await store.recover();
  expect(store.state().mode).toBe('safe_mode');
  state.isLocked = false;
  await store.recover();
  expect(store.state()).toMatchObject({ mode: 'recording', heldInMemory: 0, waiting: 3 });
  expect((await collect(store.records())).map(({ number, event }) => [number, event.event_id])).toEqual([
    [1, 'evt_1'],
    [2, 'evt_2'],
    [3, 'evt_3'],
  ]);
  expect(notices).toEqual(['safe_mode', 'recovered']);
});

test.each([
  ['full', 'disk_full'],
  ['read_only', 'disk_read_only'],
  ['failed', 'disk_failed'],
] as const)(
  'a disk that is %s starts safe mode, and no event is lost or duplicated',
  async (code, reason) => {
    for (const done of ['no', 'half', 'yes'] as const) {
      const { ground, store, disk } = await breakableStore({ fsync: 'always' });
      await store.append([newRecord(1), newRecord(2, { severity: 'high' })]);
      Object.assign(disk, { broken: code, done });
      expect(await store.append([newRecord(3), newRecord(4, { severity: 'high' })])).toBe('held');
      expect(await store.append([newRecord(5)])).toBe('held');
      expect(store.state()).toMatchObject({ mode: 'safe_mode', reason, heldInMemory: 3, waiting: 5 });
      disk.broken = undefined;
      await store.recover();
      expect(store.state()).toMatchObject({ mode: 'recording', heldInMemory: 0, waiting: 5 });
      await store.close();
      const again = await openStoreOn(ground);
      const stored = await collect(again.records());
      expect(stored.map(({ event }) => event.event_id)).toEqual([
        'evt_1',
        'evt_2',
        'evt_3',
        'evt_4',
        'evt_5',
      ]);
      expect(again.state()).toMatchObject({ damaged: 0, waiting: 5 });
      expect((await again.verify()).breaks).toEqual([]);
      await again.close();
    }
  },
);

test('an append detects a second later that the disk works again', async () => {
  let nowMs = 1_000_000;
  const { store, disk } = await breakableStore({ clock: { nowMs: () => nowMs } });
  disk.broken = 'full';
  await store.append([newRecord(1)]);
  disk.broken = undefined;
  expect(await store.append([newRecord(2)])).toBe('held');
  nowMs -= 5_000;
  expect(await store.append([newRecord(3)])).toBe('persisted');
  expect(store.state()).toMatchObject({ heldInMemory: 0, waiting: 3 });
});

test('over the memory budget the oldest of the lowest severity are dropped and declared', async () => {
  const { ground, store, disk } = await breakableStore({ memoryBudgetBytes: 6000 });
  disk.broken = 'full';
  await store.append([newRecord(1, { severity: 'high' }), newRecord(2, { severity: 'low' })]);
  for (let number = 3; number < 12; number += 1) {
    await store.append([newRecord(number)]);
  }
  const { dropped, heldInMemory, undeclared } = store.state();
  expect(dropped).toMatchObject({ low: 1, high: 0 });
  expect(heldInMemory + undeclared).toBe(11);
  disk.broken = undefined;
  await store.recover();
  await store.close();
  const again = await openStoreOn(ground);
  expect(again.state()).toMatchObject({ dropped, undeclared, waiting: heldInMemory });
  expect((await again.seal(WHOLE_BATCH))?.events[0]).toMatchObject({
    event_id: 'evt_1',
    sequence: undeclared + 1,
  });
});

test('an event dropped from memory is not found on the disk that had rejected it', async () => {
  const { ground, store, disk } = await breakableStore({ memoryBudgetBytes: 2500 });
  await store.append([newRecord(1)]);
  Object.assign(disk, { broken: 'failed', done: 'yes' });
  expect(await store.append([newRecord(2, { severity: 'low' })])).toBe('held');
  await store.append([newRecord(3), newRecord(4), newRecord(5)]);
  expect(store.state().dropped.low).toBe(1);
  disk.broken = undefined;
  await store.recover();
  const { heldInMemory, waiting } = store.state();
  await store.close();
  const again = await openStoreOn(ground);
  expect([heldInMemory, again.state().waiting]).toEqual([0, waiting]);
  expect(await again.find('evt_2')).toBeUndefined();
  expect((await again.verify()).breaks).toEqual([]);
});

test('a result that cannot be stored rejects, and counts when it is passed again', async () => {
  const { store, disk } = await breakableStore();
  await store.append([newRecord(1)]);
  const batch = await store.seal(WHOLE_BATCH);
  disk.broken = 'full';
  const result = { eventId: 'evt_1', kind: 'archived' } as const;
  await expect(store.settle([result])).rejects.toMatchObject({ code: 'full' });
  expect(store.state()).toMatchObject({ mode: 'safe_mode', waiting: 1 });
  disk.broken = undefined;
  await store.recover();
  expect(await store.seal(WHOLE_BATCH)).toEqual(batch);
  await store.settle([result]);
  expect(store.state()).toMatchObject({ mode: 'recording', waiting: 0, archived: 1 });
});

test('the keys of another device are rejected, and the files do not change', async () => {
  const ground = await storeGround();
  const store = await openStoreOn(ground);
  await store.append([newRecord(1)]);
  await store.close();
  const path = join(ground.directory, 'other.json');
  const keys = await createDeviceKeys({ path, algorithm: 'ed25519' });
  const storage = await ground.openStorage();
  const before = await storage.list();
  await storage.close();
  await expect(openStoreOn({ ...ground, keys, openStorage: async () => storage })).rejects.toMatchObject({
    code: 'wrong_key',
  });
  expect(await storage.list()).toEqual(before);
  expect((await openStoreOn(ground)).state()).toMatchObject({ waiting: 1, damaged: 0 });
});

test('a segment without its key is kept, counted and reported, and the rest works', async () => {
  const ground = await storeGround();
  const store = await openStoreOn(ground);
  await store.append([newRecord(1), newRecord(2, { severity: 'high' })]);
  await store.close();
  const segment = segmentName('priority', 3);
  const names = { key: keyFile(segment), log: logFile(segment) };
  writeFileSync(join(ground.storeDirectory, names.key), 'damaged');
  const notices: string[] = [];
  const again = await openStoreOn(ground, { onNotice: ({ kind }) => notices.push(kind) });
  expect(notices).toEqual(['damaged', 'missing']);
  expect(again.state()).toMatchObject({ damaged: 1, missing: 1, waiting: 1, mode: 'recording' });
  await again.append([newRecord(3)]);
  expect((await collect(again.records())).map(({ event }) => event.event_id)).toEqual(['evt_1', 'evt_3']);
  await again.close();
  const storage = await ground.openStorage();
  expect((await storage.list()).map(({ name }) => name)).toContain(names.log);
  await storage.close();
});

/** A real file system of 256 KiB. Only root can mount one. */
function smallDisk(directory: string): boolean {
  mkdirSync(directory);
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', directory], { stdio: 'ignore' });
  } catch {
    return false;
  }
  onTestFinished(() => {
    execFileSync('/bin/umount', ['-l', directory]);
  });
  return true;
}

test('on a full disk events are held, and stored when space is available', async (context) => {
  const ground = await storeGround();
  const directory = join(ground.directory, 'small');
  context.skip(!smallDisk(directory), 'needs the right to mount');
  const ballast = join(directory, 'ballast');
  writeFileSync(ballast, new Uint8Array(150_000));
  const disk = { ...ground, openStorage: () => openFileStorage({ directory }) };
  const store = await openStoreOn(disk, { budgetBytes: MIB });
  let number = 0;
  while (store.state().mode === 'recording') {
    number += 1;
    await store.append([newRecord(number, { description: 'd'.repeat(4000) })]);
  }
  expect(store.state()).toMatchObject({ reason: 'disk_full', heldInMemory: 1, waiting: number });
  writeFileSync(ballast, '');
  await store.recover();
  expect(store.state()).toMatchObject({ mode: 'recording', heldInMemory: 0 });
  await store.close();
  const again = await openStoreOn(disk, { budgetBytes: MIB });
  expect(again.state()).toMatchObject({ waiting: number, damaged: 0 });
  expect((await again.verify()).breaks).toEqual([]);
  await again.close();
});

test('after a damaged batch no number is reused, even if it skipped dropped events', async () => {
  const { ground, store, disk } = await breakableStore({ memoryBudgetBytes: 4000 });
  disk.broken = 'full';
  const records = Array.from({ length: 2000 }, (_, index) => newRecord(index + 1));
  await store.append(records);
  disk.broken = undefined;
  await store.recover();
  const sealed = await store.seal(WHOLE_BATCH);
  await store.close();
  writeFileSync(join(ground.storeDirectory, 'outbox-1'), 'damaged');
  const again = await (await openStoreOn(ground)).seal(WHOLE_BATCH);
  expect(again?.events[0]?.sequence).toBeGreaterThan(sealed?.events.at(-1)?.sequence ?? 0);
});

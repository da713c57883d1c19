import { open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collect, newRecord, openStoreOn, storeGround, WHOLE_BATCH } from '../testing/store-builders.ts';
import { FRAME_HEADER_BYTES, HEADER_BYTES, readFrameHeader } from './segments/segment-format.ts';
import { segmentName } from './segments/segment-name.ts';

/** What the names of logs with events of high severity begin with. */
const PRIORITY = segmentName('priority', 1).split('-')[0] ?? '';

type Ground = Awaited<ReturnType<typeof storeGround>>;

async function filesOf(ground: Ground, prefix: string, part = 'log'): Promise<string[]> {
  const names = (await readdir(ground.storeDirectory)).sort();
  return names
    .filter((name) => name.startsWith(prefix) && name.endsWith(part))
    .map((name) => join(ground.storeDirectory, name));
}

/** Cuts a log off behind its first records, where a record ends: nothing in the file itself is damaged then. */
async function cutBehind(path: string | undefined, records: number): Promise<void> {
  if (path === undefined) throw new Error('there is no such log');
  const bytes = await readFile(path);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = HEADER_BYTES;
  for (let index = 0; index < records; index += 1) {
    end += FRAME_HEADER_BYTES + (readFrameHeader(view, end)?.sealedBytes ?? 0);
  }
  expect((await stat(path)).size).toBeGreaterThan(end);
  await truncate(path, end);
}

/** One process that records these events and ends, as if killed unless it closes. */
async function live(ground: Ground, numbers: readonly number[], severity: 'critical' | 'low' = 'critical') {
  const store = await openStoreOn(ground);
  for (const number of numbers) await store.append([newRecord(number, { severity })]);
  return store;
}

async function reopen(ground: Ground) {
  const notices: string[] = [];
  const store = await openStoreOn(ground, {
    onNotice: ({ kind, message }) => notices.push(`${kind}: ${message}`),
  });
  return { store, notices };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const missingNotice = (count: number) =>
  `missing: ${count} stored records are missing: files of the event store were removed, cut off or damaged.`;

test('a log cut off at the end of a record is reported with the number of lost events', async () => {
  const ground = await storeGround();
  await (await live(ground, upTo(20))).close();
  await cutBehind((await filesOf(ground, PRIORITY))[0], 6);
  const { store, notices } = await reopen(ground);
  expect(notices).toEqual([missingNotice(14)]);
  expect(store.state()).toMatchObject({ waiting: 6, missing: 14, damaged: 0, undeclared: 14 });
});

test('missing events leave a gap in the chain of sent events, and are declared once', async () => {
  const ground = await storeGround();
  await (await live(ground, upTo(5))).close();
  await cutBehind((await filesOf(ground, PRIORITY))[0], 2);
  const { store } = await reopen(ground);
  await store.append([newRecord(6)]);
  const batch = await store.seal(WHOLE_BATCH);
  expect(batch?.events.map(({ sequence }) => sequence)).toEqual([4, 5, 6]);
  expect(batch?.events[0]).not.toHaveProperty('previous_event_hash');
  await store.declareDropped(store.state().undeclared);
  await store.close();
  const again = await reopen(ground);
  expect(again.notices).toEqual([]);
  expect(again.store.state()).toMatchObject({ missing: 3, undeclared: 0 });
});

test.each([
  ['oldest', 0, [{ after: 2, before: 3 }]],
  ['middle', 1, [{ after: 2, before: 5 }]],
  ['newest', 2, []],
] as const)('the %s segment, removed from outside, is reported', async (_, index, breaks) => {
  const ground = await storeGround();
  for (const numbers of [
    [1, 2],
    [3, 4],
    [5, 6],
  ])
    await (await live(ground, numbers, 'low')).close();
  await rm((await filesOf(ground, 'ordinary'))[index] ?? '');
  const { store, notices } = await reopen(ground);
  expect(notices).toEqual([missingNotice(2)]);
  expect((await collect(store.records())).map(({ number }) => number)).toHaveLength(4);
  expect((await store.verify()).breaks).toEqual(index === 1 ? breaks : []);
  await store.append([newRecord(7)]);
  expect((await collect(store.records())).at(-1)?.number).toBe(7);
});

test('a store without any of its logs reports every event', async () => {
  const ground = await storeGround();
  await (await live(ground, upTo(3))).close();
  for (const path of [...(await filesOf(ground, PRIORITY)), ...(await filesOf(ground, PRIORITY, 'key'))])
    await rm(path);
  expect((await reopen(ground)).notices).toEqual([missingNotice(3)]);
});

test('a removed journal is reported as damage', async () => {
  const ground = await storeGround();
  await (await live(ground, upTo(3))).close();
  for (const path of [...(await filesOf(ground, 'journal')), ...(await filesOf(ground, 'journal', 'key'))])
    await rm(path);
  const { store, notices } = await reopen(ground);
  expect(notices).toEqual(['damaged: 1 stored records are damaged.']);
  expect(store.state()).toMatchObject({ waiting: 3, damaged: 1 });
});

test('what is cut off after a process was killed is reported too', async () => {
  const ground = await storeGround();
  const storage = await ground.openStorage();
  const killed = await openStoreOn({ ...ground, openStorage: async () => storage });
  for (const number of upTo(10)) await killed.append([newRecord(number)]);
  // The next change of the journal waits for the note of the newest record, as the operating system's buffers do.
  await killed.declareDropped(0);
  await storage.close();
  await cutBehind((await filesOf(ground, 'ordinary'))[0], 4);
  expect((await reopen(ground)).notices).toEqual([missingNotice(6)]);
});

test('delivered events that are missing are counted, but not declared as lost', async () => {
  const ground = await storeGround();
  const store = await live(ground, upTo(4));
  const batch = await store.seal({ ...WHOLE_BATCH, maxEvents: 2 });
  await store.settle((batch?.events ?? []).map(({ event_id }) => ({ eventId: event_id, kind: 'archived' })));
  await store.close();
  for (const path of await filesOf(ground, PRIORITY)) await rm(path);
  expect((await reopen(ground)).store.state()).toMatchObject({ missing: 4, undeclared: 2 });
});

test('events that the store deleted itself are not missing', async () => {
  const ground = await storeGround();
  const store = await live(ground, upTo(3));
  const batch = await store.seal(WHOLE_BATCH);
  await store.settle((batch?.events ?? []).map(({ event_id }) => ({ eventId: event_id, kind: 'archived' })));
  await store.removeArchivedBefore(Date.parse('2026-03-02T10:00:01.000Z'));
  await store.append([newRecord(4)]);
  await store.close();
  expect((await reopen(ground)).notices).toEqual([]);
});

test('a torn last record, never reported as stored, is not missing', async () => {
  const ground = await storeGround();
  await (await live(ground, upTo(3))).close();
  const [path = ''] = await filesOf(ground, PRIORITY);
  const whole = await readFile(path);
  const file = await open(path, 'a');
  await file.write(whole.subarray(HEADER_BYTES, HEADER_BYTES + 40));
  await file.close();
  expect((await reopen(ground)).notices).toEqual([]);
});

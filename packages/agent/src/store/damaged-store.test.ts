import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openFileStorage } from '../node/storage/file-storage.ts';
import { collect, newRecord, openStoreOn, storeGround, WHOLE_BATCH } from '../testing/store-builders.ts';

test('a store with a damaged file opens, returns only correct records, and works', async () => {
  const ground = await storeGround();
  const written = new Map<string, unknown>();
  for (const [first, maxEvents] of [
    [1, 3],
    [11, 2],
  ] as const) {
    const store = await openStoreOn(ground);
    const records = Array.from({ length: 6 }, (_, index) =>
      newRecord(first + index, { severity: index % 2 === 0 ? 'high' : 'low' }),
    );
    await store.append(records);
    for (const { event } of records) {
      written.set(event.event_id, event);
    }
    const batch = await store.seal({ ...WHOLE_BATCH, maxEvents });
    await store.settle(
      (batch?.events ?? []).slice(0, 2).map(({ event_id }) => ({ eventId: event_id, kind: 'archived' })),
    );
    await store.close();
  }
  const names = (await readdir(ground.storeDirectory)).sort();
  let stores = 0;
  const damage = fc.record({
    file: fc.nat(names.length - 1),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    kind: fc.constantFrom('flip', 'cut', 'insert'),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(damage, async ({ file, at, kind, bytes }) => {
      stores += 1;
      const directory = join(ground.directory, `${stores}`);
      await cp(ground.storeDirectory, directory, { recursive: true });
      const path = join(directory, names[file] ?? '');
      const whole = await readFile(path);
      const position = Math.floor(at * whole.length);
      const after = whole.subarray(kind === 'flip' ? position + bytes.length : position);
      const put = kind === 'cut' ? [] : [bytes, after];
      await writeFile(path, Buffer.concat([whole.subarray(0, position), ...put]));
      const damaged = { ...ground, openStorage: () => openFileStorage({ directory }) };
      const again = await openStoreOn(damaged);
      for (const { event } of await collect(again.records())) {
        expect(event).toEqual(written.get(event.event_id));
      }
      expect(await again.append([newRecord(100)])).toBe('persisted');
      await again.seal(WHOLE_BATCH);
      await again.close();
    }),
    { numRuns: 100 },
  );
  process.stdout.write(`event store: opened ${stores} stores with a damaged file, no wrong record\n`);
});

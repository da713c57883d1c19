import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { ServiceError } from '../platform/service-error.ts';
import { isUniqueViolation, openDatabase, together } from './index.ts';
import {
  listSamples,
  onSamples,
  openSampleDatabase,
  SAMPLE_KEY,
  SAMPLE_MIGRATIONS,
  sample,
  useSampleDatabase,
} from './testing/sample-table.ts';

const store = useSampleDatabase();
beforeEach(() => store.database.transaction((tx) => onSamples(tx).db.deleteFrom('samples').execute()));

async function listIds(): Promise<string[]> {
  return (await listSamples(store.database)).map(({ id }) => id);
}

test('a transaction returns the result of its work and keeps its rows', async () => {
  const result = await store.database.transaction(async (tx) => {
    await onSamples(tx).insertMany('samples', [sample('a')]);
    return 'done';
  });
  expect(result).toBe('done');
  expect(await listIds()).toEqual(['a']);
});

test('a transaction whose work throws rolls back and rethrows the error', async () => {
  const reason = new Error('changed my mind');
  const working = store.database.transaction(async (tx) => {
    await onSamples(tx).insertMany('samples', [sample('a')]);
    throw reason;
  });
  await expect(working).rejects.toBe(reason);
  expect(await listIds()).toEqual([]);
});

test('a reader neither sees nor waits for a running transaction', async () => {
  await store.database.transaction(async (tx) => {
    await onSamples(tx).insertMany('samples', [sample('a')]);
    expect(await listIds()).toEqual([]);
  });
  expect(await listIds()).toEqual(['a']);
});

test('transactions that start together all commit', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
  await Promise.all(
    ids.map((id) => store.database.transaction((tx) => onSamples(tx).insertMany('samples', [sample(id)]))),
  );
  expect(await listIds()).toEqual(ids);
});

test('batches that are written together do not mix, and the rejected one fails the transaction', async () => {
  const batchOf = (prefix: string) => Array.from({ length: 200 }, (_, index) => sample(`${prefix}${index}`));
  const write = (first: string, second: string) =>
    store.database.transaction(async (tx) => {
      const samples = onSamples(tx);
      await together(
        samples.insertMany('samples', batchOf(first)),
        samples.insertMany('samples', batchOf(second)),
        samples.upsertMany('samples', SAMPLE_KEY, batchOf('c')),
      );
    });
  await write('a', 'b');
  expect(await listIds()).toHaveLength(600);
  const error = await write('d', 'b').catch((reason: unknown) => reason);
  expect(isUniqueViolation(error)).toBe(true);
  expect(await listIds()).toHaveLength(600);
});

test('steps that run together have all ended when one of them has failed', async () => {
  const order: string[] = [];
  const working = store.database.transaction(async (tx) => {
    const { db } = onSamples(tx);
    const slow = async () => {
      for (const id of ['x', 'y', 'z']) {
        await db.selectFrom('samples').select('id').where('id', '=', id).execute();
        order.push(id);
      }
    };
    await together(slow(), Promise.reject(new Error('changed my mind'))).catch((error: unknown) => {
      order.push('failed');
      throw error;
    });
  });
  await expect(working).rejects.toThrow('changed my mind');
  expect(order).toEqual(['x', 'y', 'z', 'failed']);
});

test('a finished transaction rejects further statements', async () => {
  const leaked = await store.database.transaction(async (tx) => tx);
  await expect(onSamples(leaked).insertMany('samples', [sample('a')])).rejects.toThrow(
    /already committed|after the end of its transaction/,
  );
  expect(await listIds()).toEqual([]);
});

test('a wrong statement is not reported as an unavailable store', async () => {
  const failing = store.database.transaction((tx) => sql`select nothing from nowhere`.execute(tx.db));
  const error = await failing.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(ServiceError);
});

test('a closed database is unavailable, and closing it again does nothing', async () => {
  const { database, drop } = await openSampleDatabase();
  await database.ping();
  await database.close();
  await expect(database.ping()).rejects.toMatchObject({ code: 'unavailable' });
  await expect(database.transaction(async () => 1)).rejects.toMatchObject({ code: 'unavailable' });
  await drop();
});

test('closing waits for the running transaction', async () => {
  const { database, url, drop } = await openSampleDatabase();
  const working: Promise<void>[] = [];
  await new Promise<void>((hasBegun) => {
    const slow = database.transaction(async (tx) => {
      hasBegun();
      await sleep(50);
      await tx.insertMany('service_settings', [{ name: 'late', value: 'yes' }]);
    });
    working.push(slow);
  });
  await Promise.all([...working, database.close()]);
  const again = await openDatabase(url, { migrations: SAMPLE_MIGRATIONS });
  expect(await again.read.db.selectFrom('service_settings').select('name').execute()).toEqual([
    { name: 'late' },
  ]);
  await again.close();
  await drop();
});

test('an unknown kind of URL is rejected without repeating it', async () => {
  const opening = openDatabase('mysql://root:hunter2@localhost/x');
  await expect(opening).rejects.toThrow(/must begin with/);
  await expect(opening).rejects.not.toThrow(/hunter2/);
});

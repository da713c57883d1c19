import { useFixture } from '@tps/testing/fixture';
import { expect, test } from 'vitest';
import { listSamples, onSamples, openSampleDatabase, sample } from './testing/sample-table.ts';

// With one connection, what comes after the commit waits for it.
const store = useFixture(() => openSampleDatabase({ poolSize: 1 }), { close: (one) => one.drop() });

test('what is left for after the commit sees the commit, can begin a transaction, and is awaited', async () => {
  const seen: string[] = [];
  const result = await store.database.transaction(async (tx) => {
    tx.afterCommit(async (connected) => {
      seen.push(...(await listSamples(store.database)).map(({ id }) => id));
      await connected.transaction((next) => onSamples(next).insertMany('samples', [sample('b')]));
    });
    await onSamples(tx).insertMany('samples', [sample('a')]);
    return 'done';
  });
  expect([result, seen]).toEqual(['done', ['a']]);
  expect((await listSamples(store.database)).map(({ id }) => id)).toEqual(['a', 'b']);
});

test('nothing runs after a rollback', async () => {
  let hasRun = false;
  const failing = store.database.transaction(async (tx) => {
    tx.afterCommit(async () => {
      hasRun = true;
    });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(hasRun).toBe(false);
});

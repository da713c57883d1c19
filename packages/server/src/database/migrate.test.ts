import { startNodeScript } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { expect, test } from 'vitest';
import { openDatabase } from './index.ts';
import type { Migration } from './migration.ts';
import { MIGRATIONS } from './migrations/index.ts';

const broken: Migration = {
  name: '0900-breaks-half-way',
  async up(db) {
    await db.schema.createTable('half_done').addColumn('id', 'integer').execute();
    throw new Error('out of luck');
  },
};

test('an empty database gets the current schema, and opening it again changes nothing', async () => {
  const store = await createTestStore('empty');
  const readRecord = async () => {
    const database = await openDatabase(store.url);
    const rows = await database.read.db.selectFrom('schema_migrations').selectAll().orderBy('name').execute();
    await database.close();
    return rows;
  };
  const first = await readRecord();
  expect(first.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
  expect(await readRecord()).toEqual(first);
  await store.drop();
});

test('a failed migration is rolled back, and the next start runs it again', async () => {
  const store = await createTestStore();
  await expect(openDatabase(store.url, { migrations: [...MIGRATIONS, broken] })).rejects.toThrow(
    'out of luck',
  );
  let hasRun = false;
  const mended: Migration = {
    name: broken.name,
    async up(db) {
      await db.schema.createTable('half_done').addColumn('id', 'integer').execute();
      hasRun = true;
    },
  };
  const database = await openDatabase(store.url, { migrations: [...MIGRATIONS, mended] });
  expect(hasRun).toBe(true);
  await database.close();
  await store.drop();
});

test('a database migrated by a newer version is rejected with the name of the migration', async () => {
  const store = await createTestStore();
  const newer: Migration = { name: '0901-from-the-future', up: async () => undefined };
  await (await openDatabase(store.url, { migrations: [...MIGRATIONS, newer] })).close();
  await expect(openDatabase(store.url)).rejects.toThrow(/newer version.*0901-from-the-future/);
  await store.drop();
});

test('two processes that start together run each migration once, and both start', async () => {
  const store = await createTestStore('empty');
  const code = `
    import { openDatabase } from ${JSON.stringify(import.meta.resolve('./open-database.ts'))};
    import { createInterface } from 'node:readline';
    let runs = 0;
    const up = async (db) => {
      runs += 1;
      await db.schema.createTable('raced').addColumn('id', 'integer').execute();
      await new Promise((resolve) => setTimeout(resolve, 400));
    };
    console.log('ready');
    for await (const line of createInterface({ input: process.stdin })) break;
    const database = await openDatabase(${JSON.stringify(store.url)}, { migrations: [{ name: '0001-raced', up }], exclusive: false });
    await database.close();
    console.log(String(runs));
    process.exit(0);
  `;
  const processes = [startNodeScript(code), startNodeScript(code)];
  for (const process of processes) expect(await process.nextLine()).toBe('ready');
  for (const process of processes) process.write('go');
  const runs = await Promise.all(processes.map((process) => process.nextLine()));
  expect(runs.sort()).toEqual(['0', '1']);
  await store.drop();
});

import { useFixture } from '@tps/testing/fixture';
import { requireProgram } from '@tps/testing/process';
import { createTestStore, runOnServer, startPgBouncer, useTestDatabase } from '@tps/testing/store';
import { sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase, type ReadQueries } from '../index.ts';
import { MIGRATIONS } from '../migrations/index.ts';

requireProgram('pgbouncer');

const store = useTestDatabase({ scope: 'test' });

const MODES = [
  { pool_mode: 'transaction', default_pool_size: 1 },
  { pool_mode: 'transaction', default_pool_size: 4 },
  { pool_mode: 'session', default_pool_size: 20 },
];

const row = (name: string) => ({ name, value: 'x' });
const show = async ({ db }: Pick<ReadQueries, 'db'>, name: string) =>
  (await sql.raw<{ value: string }>(`select current_setting('${name}') as value`).execute(db)).rows[0]?.value;

describe.each(MODES)(
  'behind PgBouncer with $pool_mode pooling and $default_pool_size servers',
  (settings) => {
    const pooler = useFixture(() => startPgBouncer(inject('postgres').serverUrl, { settings }), {
      close: (one) => one.stop(),
    });

    test('an empty database gets the current schema, and no lock remains', async () => {
      const empty = await createTestStore('empty');
      onTestFinished(() => empty.drop());
      const opened = await openDatabase(pooler.toUrl(empty.url));
      const applied = await opened.read.db.selectFrom('schema_migrations').select('name').execute();
      expect(applied).toHaveLength(MIGRATIONS.length);
      const locks = `select 1 from pg_locks join pg_database on pg_locks.database = pg_database.oid
    where locktype = 'advisory' and granted and datname = current_database()`;
      expect(await runOnServer(empty.url, locks)).toEqual([]);
      await opened.close();
    });

    test('nodes share server sessions, and each statement has the settings of the service', async () => {
      const nodes = await Promise.all(
        [1, 2].map(() => openDatabase(pooler.toUrl(store.url), { poolSize: 4 })),
      );
      const work = nodes.flatMap((node, number) =>
        Array.from({ length: 30 }, async (_, turn) => {
          await node.transaction((tx) => tx.insertMany('service_settings', [row(`${number}-${turn}`)]));
          await node.read.db.selectFrom('service_settings').select('value').where('name', '=', 'a').execute();
        }),
      );
      await Promise.all(work);
      const names = await store.database.read.db.selectFrom('service_settings').select('name').execute();
      expect(names).toHaveLength(60);
      for (const [name, value] of [
        ['synchronous_commit', 'on'],
        ['statement_timeout', '10s'],
        ['enable_seqscan', 'off'],
      ] as const) {
        expect(await show(nodes[0]?.read ?? store.database.read, name)).toBe(value);
        expect(await nodes[1]?.transaction((tx) => show(tx, name))).toBe(value);
      }
      await Promise.all(nodes.map((node) => node.close()));
    });

    test('other users of the server sessions do not get the settings of the service', async () => {
      const node = await openDatabase(pooler.toUrl(store.url));
      await node.ping();
      await node.close();
      const settings = await runOnServer(
        pooler.toUrl(store.url),
        "select current_setting('enable_seqscan') as v",
      );
      expect(settings).toEqual([{ v: 'on' }]);
    });

    test('a failed statement alone, or in a transaction, leaves the session usable', async () => {
      const node = await openDatabase(pooler.toUrl(store.url), { poolSize: 1 });
      await expect(sql`select 1 / 0`.execute(node.read.db)).rejects.toThrow('division by zero');
      const failing = node.transaction(async (tx) => {
        await tx.insertMany('service_settings', [row('undone')]);
        await sql`select 1 / 0`.execute(tx.db);
      });
      await expect(failing).rejects.toThrow('division by zero');
      expect(await node.read.db.selectFrom('service_settings').select('name').execute()).toEqual([]);
      await node.close();
    });
  },
);

test('a pooler that allows no transactions is refused with its remedy', async () => {
  const pooler = await startPgBouncer(store.url, { settings: { pool_mode: 'statement' } });
  onTestFinished(() => pooler.stop());
  await expect(openDatabase(pooler.toUrl(store.url))).rejects.toMatchObject({
    cause: { message: expect.stringContaining('pool_mode = transaction') },
  });
});

test('startup parameters in the URL that a pooler refuses are named with the remedy', async () => {
  const pooler = await startPgBouncer(store.url);
  onTestFinished(() => pooler.stop());
  const url = `${pooler.toUrl(store.url)}?options=${encodeURIComponent('-c work_mem=8MB')}`;
  await expect(openDatabase(url)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('Remove it from the database URL') },
  });
});

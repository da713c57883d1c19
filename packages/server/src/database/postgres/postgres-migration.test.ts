import { runOnServer, useTestDatabase } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, type Queries } from '../index.ts';
import type { Migration } from '../migration.ts';
import { MIGRATIONS } from '../migrations/index.ts';

const store = useTestDatabase({ scope: 'test', poolSize: 2 });

/** Locks one table after the other, as a later version that adds a column to both. */
const later: Migration = {
  name: '0902-add-columns',
  async up(db) {
    for (const table of ['incidents', 'events'])
      await sql`alter table ${sql.table(table)} add column added_later text`.execute(db);
  },
};

const read = (tx: Queries, table: 'events' | 'incidents') =>
  tx.db.selectFrom(table).select('tenant_id').limit(1).execute();

test('a migration gives way to a node that uses its tables in another order', async () => {
  const warnings: string[] = [];
  const logger = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message) };
  const opening = await store.database.transaction(async (tx) => {
    await read(tx, 'events');
    const migrations = [...MIGRATIONS, later];
    const promise = openDatabase(store.url, { migrations, exclusive: false, logger });
    promise.catch(() => undefined);
    await waitUntil(() => warnings.length > 0);
    // PostgreSQL would end one of the two after a second if the migration did not.
    await read(tx, 'incidents');
    return { promise };
  });
  const migrated = await opening.promise;
  onTestFinished(() => migrated.close());
  expect(warnings).toContain('schema migration waits for locks of other sessions');
  const { rows } = await sql`select table_name from information_schema.columns
    where column_name = 'added_later' order by 1`.execute(migrated.read.db);
  expect(rows).toEqual([{ table_name: 'events' }, { table_name: 'incidents' }]);
});

/** What an older version does while it migrates, in the session of another connection. */
const LOCK = 0x7470735f;

test('a start that waits for the migration of another node says who holds the lock', async () => {
  const held: object[] = [];
  const logger = { info: () => undefined, warn: (details: object) => void held.push(details) };
  const opening = await store.database.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(tx.db);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db);
    const promise = openDatabase(store.url, { exclusive: false, logger });
    promise.catch(() => undefined);
    await waitUntil(() => held.length > 0);
    const holder = {
      pid: rows[0]?.pid,
      application: 'threat-protection-service',
      address: '127.0.0.1',
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    };
    expect(held[0]).toMatchObject({ holders: [holder], waitsForSeconds: expect.any(Number) });
    return { promise };
  });
  await (await opening.promise).close();
});

test('a start that gets no lock fails with the session that holds it and the remedy', async () => {
  await store.database.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(tx.db);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db);
    const opening = openDatabase(store.url, { exclusive: false, migrationWithinMs: 0 });
    await expect(opening).rejects.toThrow(
      new RegExp(`session ${rows[0]?.pid} .*SELECT pg_terminate_backend`, 's'),
    );
  });
  const locks = `select 1 from pg_locks join pg_database on pg_locks.database = pg_database.oid
    where locktype = 'advisory' and granted and datname = current_database()`;
  expect(await runOnServer(store.url, locks)).toEqual([]);
});

import { useTestDatabase } from '@tps/testing/store';
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
  expect(warnings).toContain('schema migration repeated: a running node uses its tables');
  const { rows } = await sql`select table_name from information_schema.columns
    where column_name = 'added_later' order by 1`.execute(migrated.read.db);
  expect(rows).toEqual([{ table_name: 'events' }, { table_name: 'incidents' }]);
});

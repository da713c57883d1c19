import { useTestDatabase } from '@tps/testing/store';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { alertStore } from '../../alerts/index.ts';
import { nonceStore } from '../../devices/index.ts';
import { eventStore } from '../../feed/index.ts';
import { incidentStore } from '../../incidents/index.ts';

const TENANT = 'tnt_one' as TenantId;
const NONCE = { deviceId: 'dev_1', nonce: 'n', created: 1 };

/** Lookups of the group commit, each with the index condition that it must use. */
const LOOKUPS: [string, (tx: Queries) => Promise<unknown>, string][] = [
  ['known events', (tx) => eventStore.findKnown(tx, TENANT, ['evt_1']), '(event_id = '],
  ['corrected events', (tx) => eventStore.findRoots(tx, TENANT, ['evt_2']), '(event_id = '],
  [
    'open alerts',
    (tx) => alertStore.findOpen(tx, TENANT, { mergeKeys: ['key'], fromMs: 0, toMs: 1 }),
    '(merge_key = ',
  ],
  [
    'incidents',
    (tx) => incidentStore.findAbout(tx, TENANT, { correlationKeys: ['key'], fromMs: 0 }),
    '(correlation_key = ',
  ],
  ['used nonces', (tx) => nonceStore.claim(tx, TENANT, [NONCE]), '(nonce = '],
];

/** PostgreSQL keeps a plan that it made for a small table. SQLite is given statistics, which another test checks. */
describe.runIf(process.env.TEST_STORE === 'postgres').each(['without statistics', 'analyzed while small'])(
  'in a store %s',
  (state) => {
    const store = useTestDatabase();
    beforeAll(() => store.database.transaction((tx) => fill(tx, state)));

    test.each(LOOKUPS)('%s are looked up in an index, not among all rows', async (_, lookup, condition) => {
      const plan = await planOf(store.url, lookup);
      const conditions = plan.split('\n').filter((line) => line.includes('Index Cond:'));
      expect(conditions.join('\n'), plan).toContain(condition);
    });
  },
);

/** Returns the plan that a connection keeps for the first statement that `work` runs. */
async function planOf(url: string, work: (tx: Queries) => Promise<unknown>): Promise<string> {
  const database = await openDatabase(url, { poolSize: 1 });
  const statement = await database.transaction(async (tx) => {
    await work(tx);
    const prepared = sql<{ statement: string }>`select statement from pg_prepared_statements
      order by prepare_time limit 1`;
    const settings = sql<{
      text: string;
    }>`select string_agg(format('set %s = %s', name, setting), ';') as text
      from pg_settings where name like 'enable_%'`;
    const [found] = (await prepared.execute(tx.db)).rows;
    return `${(await settings.execute(tx.db)).rows[0]?.text}; explain (generic_plan) ${found?.statement}`;
  });
  await database.close();
  // Kysely prepares each statement, and a prepared EXPLAIN would ask for the parameters.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const results = (await client.query(statement)) as unknown as pg.QueryResult<{ 'QUERY PLAN': string }>[];
  await client.end();
  return (results.at(-1)?.rows ?? []).map((row) => row['QUERY PLAN']).join('\n');
}

async function fill(tx: Queries, state: string): Promise<void> {
  const numbers = sql`from generate_series(1, ${sql.lit(state === 'without statistics' ? 400 : 30)}) as n`;
  await sql`insert into events select ${TENANT}, n, 'evt_' || md5(n::text), 1, 1, 'dev_1', 'phishing', 'low', null, null, null,
    'linked', '\\x00', '\\x00', '\\x00', repeat('x', 500) ${numbers}`.execute(tx.db);
  await sql`insert into alerts select ${TENANT}, 'alt_' || n, 'dev_1', 'phishing', 'low', 'title', 'open', '[]', 'thr_1',
    null, 'key_' || md5(n::text), 1, 1, 1 ${numbers}`.execute(tx.db);
  await sql`insert into incidents select ${TENANT}, 'inc_' || n, 'phishing', 'key_' || md5(n::text), 'low', 'open', 'message', null,
    null, '[]', 1, 1, 1, 1 ${numbers}`.execute(tx.db);
  if (state !== 'without statistics') await sql`analyze events, alerts, incidents`.execute(tx.db);
}

import { startTcpRelay } from '@tps/testing/network';
import { runOnServer, useTestDatabase } from '@tps/testing/store';
import { sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../platform/service-error.ts';
import { openDatabase, type Queries, type ReadQueries } from '../index.ts';

const store = useTestDatabase({ scope: 'test', poolSize: 2 });

async function raise(tx: Queries, sqlState: string): Promise<void> {
  await sql.raw(`do $$ begin raise exception sqlstate '${sqlState}'; end $$`).execute(tx.db);
}

async function getPid(tx: Queries): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db);
  return rows[0]?.pid ?? 0;
}

/** Ends the transaction's connection from outside, as an administrator or a crash would. */
async function terminate(tx: Queries): Promise<void> {
  await runOnServer(inject('postgres').serverUrl, `select pg_terminate_backend(${await getPid(tx)}, 5000)`);
}

const SETTING = { name: 'written', value: 'once' };

test('every connection waits for its commits to reach the disk and names itself', async () => {
  const show = (name: string) =>
    sql.raw(`select current_setting('${name}') as value`).execute(store.database.read.db);
  expect((await show('synchronous_commit')).rows).toEqual([{ value: 'on' }]);
  expect((await show('transaction_isolation')).rows).toEqual([{ value: 'read committed' }]);
  expect((await show('statement_timeout')).rows).toEqual([{ value: '10s' }]);
  expect((await show('application_name')).rows).toEqual([{ value: 'threat-protection-service' }]);
});

test('a URL cannot turn durability off', async () => {
  const url = `${store.url}?options=${encodeURIComponent('-c synchronous_commit=off')}`;
  const database = await openDatabase(url);
  onTestFinished(() => database.close());
  const query = sql`select current_setting('synchronous_commit') as value`;
  expect((await query.execute(database.read.db)).rows).toEqual([{ value: 'on' }]);
});

test('a statement is prepared once per connection, for any values', async () => {
  const { rows } = await store.database.transaction(async (tx) => {
    for (const names of [['a'], ['b', 'c'], []]) {
      await tx.db.selectFrom('service_settings').select('value').where(tx.anyOf('name', names)).execute();
    }
    return await sql`select generic_plans + custom_plans as runs from pg_prepared_statements
      where statement like '%from "service_settings" where "name" = any%' and statement not like '%generic_plans%'`.execute(
      tx.db,
    );
  });
  expect(rows).toEqual([{ runs: 3 }]);
});

test('a connection with too many prepared statements is replaced when it is released', async () => {
  const database = await openDatabase(store.url, { poolSize: 1 });
  const first = await database.transaction(async (tx) => {
    for (let index = 0; index < 510; index += 1) await sql.raw(`select ${index}`).execute(tx.db);
    const { rows } = await sql`select count(*) as names from pg_prepared_statements`.execute(tx.db);
    expect(rows).toEqual([{ names: 500 }]);
    return await getPid(tx);
  });
  expect(await database.transaction(getPid)).not.toBe(first);
  await database.close();
});

describe('a column that a later version adds', () => {
  const readAll = (queries: Pick<ReadQueries, 'db'>) =>
    queries.db.selectFrom('service_settings').selectAll().execute();
  const addColumn = () =>
    runOnServer(store.url, 'alter table service_settings add column added_later text default 1');

  test('does not fail the reads of connections that have prepared them', async () => {
    const readOnBoth = () => Promise.all([readAll(store.database.read), readAll(store.database.read)]);
    await readOnBoth();
    await addColumn();
    for (let round = 0; round < 3; round += 1) await readOnBoth();
  });

  test('lets a transaction be repeated, at most once', async () => {
    const database = await openDatabase(store.url, { poolSize: 1 });
    await database.transaction(readAll);
    await addColumn();
    let runs = 0;
    const work = (tx: Queries) => {
      runs += 1;
      return readAll(tx);
    };
    await database.transaction(work, { repeatable: true });
    expect(runs).toBe(2);
    await database.transaction(work);
    expect(runs).toBe(3);
    await database.close();
  });

  test('fails a transaction that must not be repeated as unavailable, and no later one', async () => {
    await store.database.transaction((tx) => Promise.all([readAll(tx), store.database.transaction(readAll)]));
    await addColumn();
    await expect(store.database.transaction(readAll)).rejects.toMatchObject({ code: 'unavailable' });
    await Promise.all([store.database.transaction(readAll), store.database.transaction(readAll)]);
  });
});

test('a connection to a server that has become read-only, as after a failover, is replaced', async () => {
  const database = await openDatabase(store.url, { poolSize: 1 });
  const first = await database.transaction(getPid);
  await expect(database.transaction((tx) => raise(tx, '25006'))).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(await database.transaction(getPid)).not.toBe(first);
  await database.close();
});

test('an integer beyond 2^53 is an error, not a rounded number', async () => {
  const reading = sql`select 9007199254740993::bigint as value`.execute(store.database.read.db);
  await expect(reading).rejects.toThrow(RangeError);
  await store.database.ping();
});

test('a transaction that ignores a failed statement does not report a commit', async () => {
  const working = store.database.transaction(async (tx) => {
    await tx.insertMany('service_settings', [SETTING]);
    await raise(tx, '22000').catch(() => undefined);
  });
  await expect(working).rejects.toThrow('nothing was committed');
});

describe('a store that is gone', () => {
  test.each(['53100', '53300', '57014', '57P03', '58030', '08006', '25006', '40001', '40P01'])(
    'is recognised by SQLSTATE %s and reported as unavailable',
    async (sqlState) => {
      const error = await store.database
        .transaction((tx) => raise(tx, sqlState))
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({ code: 'unavailable', cause: { code: sqlState } });
      await store.database.ping();
    },
  );

  test('is reported while logins are blocked; a wrong statement with that SQLSTATE is not', async () => {
    const { serverUrl } = inject('postgres');
    const name = new URL(store.url).pathname.slice(1);
    const database = await openDatabase(store.url, { poolSize: 1 });
    await expect(database.transaction((tx) => raise(tx, '55000'))).rejects.not.toBeInstanceOf(ServiceError);
    await database.transaction(terminate).catch(() => undefined);
    await runOnServer(serverUrl, `alter database ${name} allow_connections false`);
    await expect(database.ping()).rejects.toMatchObject({ code: 'unavailable', cause: { code: '55000' } });
    await runOnServer(serverUrl, `alter database ${name} allow_connections true`);
    await database.ping();
    await database.close();
  });

  test('is unavailable while its connections are cut, and recovers without a restart', async () => {
    const relay = await startTcpRelay(Number(new URL(store.url).port));
    const url = new URL(store.url);
    url.port = String(relay.port);
    const database = await openDatabase(url.href, { poolSize: 2 });
    await Promise.all([database.ping(), database.ping()]);
    const cutOff = database.transaction(async (tx) => {
      await tx.insertMany('service_settings', [SETTING]);
      await relay.cut();
      await tx.insertMany('service_settings', [{ name: 'never', value: 'written' }]);
    });
    await expect(cutOff).rejects.toMatchObject({ code: 'unavailable' });
    await expect(database.ping()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(openDatabase(url.href)).rejects.toMatchObject({ code: 'unavailable' });
    await relay.restore();
    await database.ping();
    expect(await database.read.db.selectFrom('service_settings').select('name').execute()).toEqual([]);
    await database.close();
    await relay.cut();
  });
});

describe('a retry', () => {
  async function countAttempts(idempotent: boolean, fail: (tx: Queries) => Promise<void>): Promise<number> {
    let attempts = 0;
    const working = store.database.transaction(
      async (tx) => {
        attempts += 1;
        await tx.insertMany('service_settings', [SETTING]);
        if (attempts === 1) await fail(tx);
        await tx.db.selectFrom('service_settings').select('name').execute();
      },
      { idempotent },
    );
    const outcome = await working.then(
      () => 'committed',
      () => 'failed',
    );
    expect(outcome).toBe(idempotent && attempts > 1 ? 'committed' : 'failed');
    return attempts;
  }

  test.each([
    ['a serialization failure', (tx: Queries) => raise(tx, '40001')],
    ['a deadlock', (tx: Queries) => raise(tx, '40P01')],
    ['a lost connection', terminate],
  ])('follows %s if the work is idempotent, and only then', async (_, fail) => {
    expect(await countAttempts(false, fail)).toBe(1);
    expect(await countAttempts(true, fail)).toBe(2);
    expect(await store.database.read.db.selectFrom('service_settings').selectAll().execute()).toEqual([
      SETTING,
    ]);
  });

  test.each(['40001', '40P01'])(
    'follows %s, but no lost connection, if the work is repeatable',
    async (code) => {
      let attempts = 0;
      const run = (fail: (tx: Queries) => Promise<unknown>) =>
        store.database.transaction(
          async (tx) => {
            attempts += 1;
            if (attempts === 1) await fail(tx);
          },
          { repeatable: true },
        );
      await run((tx) => raise(tx, code));
      expect(attempts).toBe(2);
      attempts = 0;
      await expect(run(terminate)).rejects.toMatchObject({ code: 'unavailable' });
    },
  );

  test('does not follow an ordinary failure', async () => {
    expect(await countAttempts(true, (tx) => raise(tx, '23505'))).toBe(1);
  });

  test('ends after three attempts', async () => {
    let attempts = 0;
    const working = store.database.transaction(
      async (tx) => {
        attempts += 1;
        await raise(tx, '40001');
      },
      { idempotent: true },
    );
    await expect(working).rejects.toMatchObject({ code: 'unavailable' });
    expect(attempts).toBe(3);
  });
});

import { startTcpRelay } from '@tps/testing/network';
import { runOnServer, useTestDatabase } from '@tps/testing/store';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { isUniqueViolation, openDatabase, type Queries } from '../index.ts';

const store = useTestDatabase({ scope: 'test', poolSize: 2 });

const row = (name: string) => ({ name, value: 'x' });
const divide = (tx: Queries) => sql`select 1 / 0`.execute(tx.db);
const readNames = async () =>
  (await store.database.read.db.selectFrom('service_settings').select('name').orderBy('name').execute()).map(
    ({ name }) => name,
  );
const findValue = (tx: Queries, name: string) =>
  tx.db.selectFrom('service_settings').select('value').where('name', '=', name).execute();

test('statements that are issued together run in call order', async () => {
  const [before, after] = await store.database.transaction(async (tx) => {
    const missing = findValue(tx, 'a');
    const inserted = tx.insertMany('service_settings', [row('a')]);
    const found = findValue(tx, 'a');
    await inserted;
    return Promise.all([missing, found]);
  });
  expect(before).toEqual([]);
  expect(after).toEqual([{ value: 'x' }]);
});

test('statements that are issued together fail with the error of the first that failed', async () => {
  const working = store.database.transaction(async (tx) => {
    await tx.insertMany('service_settings', [row('a')]);
    const first = divide(tx);
    const others = [findValue(tx, 'a'), tx.upsertMany('service_settings', ['name'], [row('b')])];
    const outcomes = await Promise.allSettled([first, ...others]);
    expect(outcomes.slice(0, 2)).toMatchObject([
      { reason: { message: 'division by zero' } },
      { reason: { message: 'division by zero' } },
    ]);
    await Promise.all([...others.reverse(), first]);
  });
  await expect(working).rejects.toThrow('division by zero');
  expect(await readNames()).toEqual([]);
  await store.database.transaction((tx) => tx.insertMany('service_settings', [row('c')]));
  expect(await readNames()).toEqual(['c']);
});

test('a write that fails after the work has ended fails the commit', async () => {
  await store.database.transaction((tx) => tx.insertMany('service_settings', [row('a')]));
  const working = store.database.transaction(async (tx) => {
    await tx.insertMany('service_settings', [row('b')]);
    await tx.insertMany('service_settings', [row('a')]);
    await tx.upsertMany('service_settings', ['name'], [row('c')]);
  });
  const error = await working.catch((reason: unknown) => reason);
  expect(isUniqueViolation(error)).toBe(true);
  expect(await readNames()).toEqual(['a']);
});

test('work that continues after the transaction has failed writes nothing', async () => {
  const late: Promise<PromiseSettledResult<void>[]>[] = [];
  const write = (tx: Queries) =>
    late.push(Promise.allSettled([tx.insertMany('service_settings', [row('late')])]));
  const working = store.database.transaction(async (tx) => {
    const slow = findValue(tx, 'a').then(() => {
      write(tx);
      setImmediate(() => write(tx));
    });
    await Promise.all([slow, Promise.reject(new Error('changed my mind'))]);
  });
  await expect(working).rejects.toThrow('changed my mind');
  await expect.poll(() => late.length).toBe(2);
  for (const [outcome] of await Promise.all(late)) expect(outcome?.status).toBe('rejected');
  expect(await readNames()).toEqual([]);
});

test('a connection lost during several statements fails all of them and the transaction', async () => {
  const { serverUrl } = inject('postgres');
  const working = store.database.transaction(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db);
    const sleeping = sql`select pg_sleep(60)`.execute(tx.db);
    const all = Promise.allSettled([sleeping, findValue(tx, 'a'), divide(tx)]);
    await tx.insertMany('service_settings', [row('a')]);
    await runOnServer(serverUrl, `select pg_terminate_backend(${rows[0]?.pid}, 5000)`);
    for (const outcome of await all) expect(outcome).toMatchObject({ reason: { code: 'unavailable' } });
  });
  await expect(working).rejects.toMatchObject({ code: 'unavailable' });
  expect(await readNames()).toEqual([]);
});

test('a commit without a response is reported as unavailable', async () => {
  const relay = await startTcpRelay(Number(new URL(store.url).port));
  const url = new URL(store.url);
  url.port = String(relay.port);
  const database = await openDatabase(url.href, { poolSize: 1 });
  const working = database.transaction(async (tx) => {
    await findValue(tx, 'a');
    await tx.insertMany('service_settings', [row('a')]);
    await relay.cut();
  });
  await expect(working).rejects.toMatchObject({ code: 'unavailable' });
  await database.close();
});

import { createTestStore } from '@tps/testing/store';
import { expect, test } from 'vitest';
import { openDatabase } from '../index.ts';
import { MIGRATIONS } from './index.ts';

const row = <Via extends string | null>(holding_id: string, owner_id: string, via_client_id: Via) => {
  const kind = holding_id.startsWith('tok_') ? 'token' : 'webhook';
  return { tenant_id: 'tnt_1', kind, holding_id, owner_id, via_client_id, owned_since: 1 };
};

test('an upgrade replaces tokens as owners by the owners of the tokens, at any distance', async () => {
  const store = await createTestStore('empty');
  const old = await openDatabase(store.url, { migrations: MIGRATIONS.filter(({ name }) => name < '0040') });
  await old.transaction(async (tx) => {
    await tx.insertMany('holdings', [
      row('tok_1', 'acc_1', 'ocl_1'),
      row('tok_2', 'tok_1', null),
      row('tok_3', 'tok_2', null),
      row('whk_1', 'tok_3', null),
      row('tok_4', 'tok_of_the_tenant', null),
      row('whk_2', 'acc_2', 'tps-console'),
    ]);
    await tx.insertMany('earlier_owners', [
      row('tok_2', 'acc_3', ''),
      row('whk_2', 'tok_4', ''),
      { ...row('tok_1', 'acc_4', ''), tenant_id: 'tnt_2' },
    ]);
  });
  await old.close();
  const upgraded = await openDatabase(store.url);
  const { db } = upgraded.read;
  const list = async (table: 'holdings' | 'earlier_owners') => {
    const rows = await db.selectFrom(table).selectAll().orderBy('holding_id').orderBy('owner_id').execute();
    return rows.map(({ holding_id, owner_id, via_client_id }) => [holding_id, owner_id, via_client_id]);
  };
  expect(await list('holdings')).toEqual([
    ['tok_1', 'acc_1', 'ocl_1'],
    ['tok_2', 'acc_1', 'ocl_1'],
    ['tok_3', 'acc_1', 'ocl_1'],
    ['tok_4', 'tok_of_the_tenant', null],
    ['whk_1', 'acc_1', 'ocl_1'],
    ['whk_2', 'acc_2', 'tps-console'],
  ]);
  expect(await list('earlier_owners')).toEqual([
    ['tok_1', 'acc_4', ''],
    ['tok_2', 'acc_3', ''],
    ['tok_3', 'acc_3', ''],
    ['whk_1', 'acc_3', ''],
    ['whk_2', 'tok_of_the_tenant', ''],
  ]);
  await upgraded.close();
  await store.drop();
});

test('an upgrade follows a long chain of tokens, and tokens that own each other', async () => {
  const store = await createTestStore('empty');
  const old = await openDatabase(store.url, { migrations: MIGRATIONS.filter(({ name }) => name < '0040') });
  const ids = Array.from({ length: 5000 }, (_, at) => `tok_${at}`);
  const circle = Array.from({ length: 12 }, (_, at) => `tok_c${at}`);
  await old.transaction(async (tx) => {
    await tx.insertMany('holdings', [
      ...ids.map((id, at) => row(id, ids[at + 1] ?? 'acc_1', null)),
      ...circle.map((id) => row(id, 'acc_2', 'tps-console')),
      row('tok_self', 'tok_other', null),
      row('tok_other', 'tok_self', null),
    ]);
    await tx.insertMany(
      'earlier_owners',
      circle.flatMap((id) => circle.filter((other) => other !== id).map((other) => row(id, other, ''))),
    );
  });
  await old.close();
  const upgraded = await openDatabase(store.url);
  const { db } = upgraded.read;
  const owners = await db.selectFrom('holdings').select('owner_id').distinct().orderBy('owner_id').execute();
  expect(owners.map(({ owner_id }) => owner_id)).toEqual(['acc_1', 'acc_2', 'tok_other', 'tok_self']);
  expect(await db.selectFrom('earlier_owners').selectAll().execute()).toEqual([]);
  await upgraded.close();
  await store.drop();
});

test('an owner through two tokens counts from the later time', async () => {
  const store = await createTestStore('empty');
  const old = await openDatabase(store.url, { migrations: MIGRATIONS.filter(({ name }) => name < '0040') });
  await old.transaction(async (tx) => {
    await tx.insertMany('holdings', [
      row('tok_2', 'acc_2', null),
      { ...row('whk_1', 'acc_1', null), owned_since: 2 },
    ]);
    await tx.insertMany('earlier_owners', [
      { ...row('whk_1', 'tok_2', ''), owned_since: 3 },
      { ...row('whk_1', 'acc_2', ''), owned_since: 1 },
    ]);
  });
  await old.close();
  const upgraded = await openDatabase(store.url);
  const { db } = upgraded.read;
  const earlier = await db.selectFrom('earlier_owners').select(['owner_id', 'owned_since']).execute();
  expect(earlier).toEqual([{ owner_id: 'acc_2', owned_since: 3 }]);
  await upgraded.close();
  await store.drop();
});

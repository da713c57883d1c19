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

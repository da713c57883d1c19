import { createTestStore } from '@tps/testing/store';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../database/index.ts';
import { MIGRATIONS } from '../../../database/migrations/index.ts';

const BEFORE = MIGRATIONS.filter(({ name }) => name < '0028');
const account = (id: string, passwordHash: string | null) => ({
  account_id: `acc_${id}`,
  email: `${id}@example.com`,
  email_key: `${id}@example.com`,
  name: id,
  password_hash: passwordHash,
  created_at: 7,
  password_changed_at: null,
  disabled_at: null,
});
const passkey = {
  credential_id: 'key',
  account_id: 'acc_passkey',
  public_key: Buffer.alloc(1),
  counter: 0,
  transports: '[]',
  name: 'key',
  created_at: 8,
  used_at: null,
};

test('after an upgrade, only accounts without password and passkey have a verified address', async () => {
  const store = await createTestStore('empty');
  const older = await openDatabase(store.url, { migrations: BEFORE });
  const accounts = [account('password', 'a hash'), account('provider', null), account('passkey', null)];
  await older.transaction(async (tx) => {
    await tx.insertMany('accounts', accounts);
    await tx.insertMany('account_passkeys', [passkey]);
  });
  await older.close();
  const database = await openDatabase(store.url);
  const rows = await database.read.db
    .selectFrom('accounts')
    .select(['name', 'email_verified_at'])
    .orderBy('name')
    .execute();
  expect(rows).toEqual([
    { name: 'passkey', email_verified_at: null },
    { name: 'password', email_verified_at: null },
    { name: 'provider', email_verified_at: 7 },
  ]);
  await database.close();
  await store.drop();
});

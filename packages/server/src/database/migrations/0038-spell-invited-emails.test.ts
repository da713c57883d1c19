import { createTestStore } from '@tps/testing/store';
import { expect, test } from 'vitest';
import { openDatabase } from '../index.ts';
import { MIGRATIONS } from './index.ts';

const tenant_id = 'tnt_1';

function toInvitation(invitation_id: string, email: string | null, more: object = {}) {
  return {
    ...{ tenant_id, invitation_id, email, token_hash: `hash of ${invitation_id}`, proof_hash: null },
    ...{ role: 'viewer', created_at: 1, created_by: 'acc_1', expires_at: 9 },
    ...{ accepted_at: null, accepted_by: null, revoked_at: null },
    ...more,
  };
}

test('an upgrade replaces spellings under which open invitations are not found', async () => {
  const store = await createTestStore('empty');
  const old = await openDatabase(store.url, { migrations: MIGRATIONS.filter(({ name }) => name < '0036') });
  const holding = { ...{ tenant_id, kind: 'webhook', holding_id: 'whk_1' }, owned_since: 1 };
  await old.transaction(async (tx) => {
    await tx.insertMany('invitations', [
      toInvitation('inv_ascii', 'Kim@Example.com'),
      toInvitation('inv_anyone', null),
      toInvitation('inv_accent', 'JOS\u00c9@EXAMPLE.COM'),
      toInvitation('inv_combined', 'jose\u0301@example.com'),
      toInvitation('inv_wide', '\uff41nna@example.com'),
      toInvitation('inv_kelvin', '\u212aim@example.com'),
      toInvitation('inv_accepted', '\u212aim@example.com', { accepted_at: 2, accepted_by: 'acc_2' }),
      toInvitation('inv_revoked', '\u212aim@example.com', { revoked_at: 2 }),
    ]);
    await tx.insertMany('holdings', [{ ...holding, owner_id: 'acc_1', via_client_id: null }]);
  });
  await old.close();
  for (const time of ['upgraded', 'opened again']) {
    const database = await openDatabase(store.url);
    const { db } = database.read;
    const rows = await db.selectFrom('invitations').select(['invitation_id', 'email']).execute();
    expect([time, Object.fromEntries(rows.map((row) => [row.invitation_id, row.email]))]).toEqual([
      time,
      {
        inv_ascii: 'Kim@Example.com',
        inv_anyone: null,
        inv_accent: 'jos\u00e9@example.com',
        inv_combined: 'jos\u00e9@example.com',
        inv_wide: 'anna@example.com',
        inv_kelvin: 'kim@example.com',
        inv_accepted: '\u212aim@example.com',
        inv_revoked: '\u212aim@example.com',
      },
    ]);
    expect(await db.selectFrom('holdings').select(['holding_id', 'owner_id']).execute()).toEqual([
      { holding_id: 'whk_1', owner_id: 'acc_1' },
    ]);
    expect(await db.selectFrom('earlier_owners').selectAll().execute()).toEqual([]);
    await database.close();
  }
  await store.drop();
});

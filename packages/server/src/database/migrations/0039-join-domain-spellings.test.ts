import { createTestStore } from '@tps/testing/store';
import { expect, test } from 'vitest';
import { openDatabase } from '../index.ts';
import { MIGRATIONS } from './index.ts';

const tenant_id = 'tnt_1';

function toAccount(account_id: string, email_key: string) {
  return {
    ...{ account_id, email: email_key, email_key, email_verified_at: null, name: 'Kim' },
    ...{ password_hash: null, created_at: 1, password_changed_at: null, disabled_at: null },
  };
}

function toInvitation(invitation_id: string, email: string | null) {
  return {
    ...{ tenant_id, invitation_id, email, token_hash: `hash of ${invitation_id}`, proof_hash: null },
    ...{ role: 'viewer', created_at: 1, created_by: 'acc_1', expires_at: 9 },
    ...{ accepted_at: null, accepted_by: null, revoked_at: null },
  };
}

test('an upgrade joins the spellings of a domain, and changes no account that has a key', async () => {
  const store = await createTestStore('empty');
  const old = await openDatabase(store.url, { migrations: MIGRATIONS.filter(({ name }) => name < '0039') });
  await old.transaction(async (tx) => {
    await tx.insertMany('accounts', [
      toAccount('acc_plain', 'kim@example.com'),
      toAccount('acc_dot', 'ann@example.com.'),
      toAccount('acc_second', 'kim@example.com.'),
      toAccount('acc_ascii', 'kim@xn--bcher-kva.example'),
      toAccount('acc_unicode', 'ann@b\u00fccher.example'),
      toAccount('acc_both', 'ann@xn--bcher-kva.example'),
    ]);
    await tx.insertMany('invitations', [
      toInvitation('inv_plain', 'Kim@Example.com'),
      toInvitation('inv_anyone', null),
      toInvitation('inv_dot', 'Kim@Example.com.'),
      toInvitation('inv_ascii', 'Kim@xn--bcher-kva.example'),
    ]);
  });
  await old.close();
  for (const time of ['upgraded', 'opened again']) {
    const database = await openDatabase(store.url);
    const { db } = database.read;
    const accounts = await db.selectFrom('accounts').select(['account_id', 'email_key']).execute();
    const rows = await db.selectFrom('invitations').select(['invitation_id', 'email']).execute();
    expect([
      time,
      Object.fromEntries(accounts.map((row) => [row.account_id, row.email_key])),
      Object.fromEntries(rows.map((row) => [row.invitation_id, row.email])),
    ]).toEqual([
      time,
      {
        acc_plain: 'kim@example.com',
        acc_dot: 'ann@example.com',
        acc_second: 'kim@example.com.',
        acc_ascii: 'kim@b\u00fccher.example',
        acc_unicode: 'ann@b\u00fccher.example',
        acc_both: 'ann@xn--bcher-kva.example',
      },
      {
        inv_plain: 'Kim@Example.com',
        inv_anyone: null,
        inv_dot: 'kim@example.com',
        inv_ascii: 'kim@b\u00fccher.example',
      },
    ]);
    await database.close();
  }
  await store.drop();
});

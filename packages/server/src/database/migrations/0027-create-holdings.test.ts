import { createTestStore } from '@tps/testing/store';
import { expect, test } from 'vitest';
import { openDatabase, type Queries } from '../index.ts';
import { MIGRATIONS } from './index.ts';

const tenant_id = 'tnt_1';

function toToken(token_id: string, more: object = {}) {
  return {
    ...{ tenant_id, token_id, token_hash: `hash of ${token_id}`, name: token_id, scopes: '[]' },
    ...{ environment: 'test', hint: '', created_at: 1, created_by: 'acc_1', expires_at: null },
    ...{ last_used_at: null, revoked_at: null, device_id: null, max_uses: null, uses: null },
    ...{ client_id: null, grant_id: null, account_id: null, key_thumbprint: null, authenticated_at: null },
    ...more,
  };
}

function toEntry(audit_id: string, action: string, { resource, actor }: { resource: string; actor: string }) {
  const [type = ''] = actor.split('_');
  const actor_type = { acc: 'account', tok: 'token', cli: 'oauth_client' }[type] ?? 'command_line';
  return {
    ...{ tenant_id, audit_id, occurred_at: 5, actor_type, actor_id: actor, action },
    ...{ resource_type: 'x', resource_id: resource, outcome: 'success', request_id: null, detail: '' },
    ...{ fields: '{}', position: null, chain_hash: null },
  };
}

async function fill(tx: Queries): Promise<void> {
  await tx.insertMany('tokens', [
    toToken('tok_person'),
    toToken('tok_program', { created_by: 'tok_person' }),
    toToken('tok_line', { created_by: 'command_line' }),
    toToken('tok_operator', { tenant_id: '' }),
    toToken('tok_of_operator', { created_by: 'tok_operator' }),
    toToken('tok_console', { client_id: 'tps-console', account_id: 'acc_1' }),
    toToken('tok_device', { device_id: 'dev_1', created_by: 'enr_1' }),
    toToken('enr_1', { max_uses: 1, uses: 0, created_by: 'tok_purged' }),
  ]);
  await tx.insertMany('webhooks', [
    {
      ...{
        tenant_id,
        webhook_id: 'whk_1',
        url: 'https://a.example',
        severity_filter: null,
        status: 'active',
      },
      ...{
        disabled_reason: null,
        created_at: 1,
        updated_at: 1,
        secret_key_id: 'k',
        secret: Buffer.from('s'),
      },
      ...{ previous_secret_key_id: null, previous_secret: null, previous_secret_until: null },
      ...{ held_at: null, auto_replay: 1 },
    },
  ]);
  await tx.insertMany('invitations', [
    {
      ...{ tenant_id, invitation_id: 'inv_1', token_hash: 'h', email: null, role: 'admin', created_at: 1 },
      ...{ created_by: 'cli_1', expires_at: 9, accepted_at: null, accepted_by: null, revoked_at: null },
    },
  ]);
  await tx.insertMany('audit_entries', [
    toEntry('aud_1', 'enrolment.create', { resource: 'enr_1', actor: 'acc_1' }),
    toEntry('aud_2', 'webhook.create', { resource: 'whk_1', actor: 'tok_person' }),
    toEntry('aud_3', 'webhook.create', { resource: 'whk_removed', actor: 'tok_person' }),
  ]);
}

test('existing holdings get the owner that their row or the audit log names', async () => {
  const store = await createTestStore('empty');
  const before = MIGRATIONS.filter(({ name }) => name < '0027');
  const old = await openDatabase(store.url, { migrations: before });
  await old.transaction(fill);
  await old.close();
  const database = await openDatabase(store.url);
  const rows = await database.read.db
    .selectFrom('holdings')
    .select(['kind', 'holding_id', 'owner_id', 'via_client_id'])
    .orderBy('holding_id')
    .execute();
  await database.close();
  await store.drop();
  expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
    'enrolment enr_1 acc_1 ',
    'invitation inv_1 cli_1 ',
    'token tok_person acc_1 ',
    'token tok_program acc_1 ',
    'webhook whk_1 acc_1 ',
  ]);
});

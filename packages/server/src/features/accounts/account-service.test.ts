import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import { AccountService, isFieldRefusal, type WantedAccount } from './account-service.ts';
import { PasswordHasher } from './passwords/password-hasher.ts';
import { AccountSessions } from './sessions/account-sessions.ts';

const TENANT = 'tnt_x' as TenantId;
const WANTED: WantedAccount = {
  email: 'Ann@example.com',
  name: 'Ann Lee',
  password: 'correct horse battery',
};

const clock = new ManualClock();
const store = useTestDatabase();

function open(): AccountService {
  const { database } = store;
  const hasher = new PasswordHasher({ cost: { memoryKiB: 8, passes: 1 } });
  const sessions = new AccountSessions({ database, clock });
  return new AccountService({ database, clock, hasher, sessions, rules: { breached: undefined } });
}

async function create(wanted: WantedAccount): Promise<string | undefined> {
  const accounts = open();
  const prepared = await accounts.prepare(wanted, { tenantId: TENANT });
  if (isFieldRefusal(prepared)) return `refused: ${prepared.field}`;
  const entry = { tenantId: TENANT, isEmailVerified: false, requestId: null };
  const account = await store.database.transaction((tx) => accounts.create(tx, prepared, entry));
  return account?.accountId;
}

test.each([
  ['email', { email: 'ann' }],
  ['email', { email: 'ann@example.com\r\nbcc: eve@example.com' }],
  ['email', { email: 'ann@example.com,eve@example.com' }],
  ['email', { email: '"Ann" <ann@example.com>' }],
  ['email', { email: `${'a'.repeat(65)}@example.com` }],
  ['email', { email: `a@${'x'.repeat(260)}` }],
  ['name', { name: ' ' }],
  ['name', { name: 'Ann\r\nSubject: x' }],
  ['name', { name: 'Ann \u202Egnp.exe' }],
  ['name', { name: 'x'.repeat(101) }],
  ['password', { password: 'too short' }],
  ['password', { password: 'ann@example.COM' }],
] satisfies [string, Partial<WantedAccount>][])(
  'an account with a bad %s is refused: %j',
  async (field, bad) => {
    expect(await create({ ...WANTED, ...bad })).toBe(`refused: ${field}`);
  },
);

test('of simultaneous accounts with one address, in any spelling, one is created', async () => {
  const spellings = ['kim@example.com', 'KIM@Example.com', ' kim@example.com ', 'ｋｉｍ@example.com'];
  const created = await Promise.all(spellings.map((email) => create({ ...WANTED, email })));
  const [accountId, ...others] = created.filter((id) => id !== undefined);
  expect(accountId).toMatch(/^acc_/);
  expect(others).toEqual([]);
  expect(await create({ ...WANTED, email: 'kim@example.com' })).toBeUndefined();
  const entries = await store.database.read.db
    .selectFrom('audit_entries')
    .select(['tenant_id', 'action', 'detail', 'fields'])
    .where('resource_id', '=', accountId ?? '')
    .execute();
  expect(entries).toEqual([
    {
      tenant_id: TENANT,
      action: 'account.create',
      detail: 'Account created',
      fields: '{"email_verified":false}',
    },
  ]);
});

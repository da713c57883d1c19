import { useFixture } from '@tps/testing/fixture';
import { createPerson, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { countWaiting } from '@tps/testing/store';
import { ManualClock, waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import type { Queries } from '../../database/index.ts';
import { startIdentityProvider } from './testing/identity-provider.ts';
import { newVisitor, roleOf, sessionsOf, setProvider, signOn } from './testing/sign-on-scene.ts';

const clock = new ManualClock(Date.now());
const service = useTestService({ env: WEBHOOK_ENV, clock });
const provider = useFixture(
  () =>
    startIdentityProvider({ redirectUri: `${service.baseUrl}/auth/sign-on/callback`, hasFullTokens: true }),
  { close: (server) => server.close() },
);
const tenant = useFixture(() => service.createTenant(), { scope: 'test' });
let people = 0;

/** Someone new, whom the provider makes an admin. */
async function enterAsAdmin() {
  await setProvider(service, tenant, {
    issuer: provider.issuer,
    create_members: true,
    role_claim: 'groups',
    role_map: [{ value: 'boss', role: 'admin' }],
    default_role: 'viewer',
  });
  people += 1;
  const email = `someone-${people}@example.com`;
  const person = { sub: `subject-${people}`, email, email_verified: true, name: 'Someone' };
  provider.setPerson({ ...person, groups: 'boss' });
  await enter();
  const [{ account_id: accountId } = { account_id: '' }] = await sessionsOf(service, email);
  return { person, email, accountId };
}

const enter = () => signOn(newVisitor(service, provider.issuer), { tenantId: tenant.tenantId });

test('a person loses with the role the pending invitations made with it', async () => {
  const { tenantId } = tenant;
  const { person, email, accountId } = await enterAsAdmin();
  await createPerson(service, { tenantId, role: 'admin' });
  const { database } = service.service;
  await service.client.send('POST', '/invitations', {
    credential: tenant.credential,
    body: { role: 'admin' },
  });
  await database.transaction((tx) =>
    tx.db
      .updateTable('holdings')
      .set({ owner_id: accountId })
      .where('tenant_id', '=', tenantId)
      .where('kind', '=', 'invitation')
      .execute(),
  );
  provider.setPerson({ ...person, groups: [] });
  await enter();
  expect(await roleOf(service, tenantId, email)).toBe('viewer');
  const { revoked_at: revokedAt } = await database.read.db
    .selectFrom('invitations')
    .select('revoked_at')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  expect(revokedAt).not.toBeNull();
});

test('a sign-on locks the admins in the order in which a change of a member does', async ({ skip }) => {
  const { database } = service.service;
  skip(database.engine === 'sqlite', 'SQLite has one writer at a time');
  const { tenantId } = tenant;
  // The older account is locked first.
  const first = await createPerson(service, { tenantId, role: 'admin', nowMs: 1 });
  const { person, email, accountId } = await enterAsAdmin();
  const lock = (tx: Queries, lockedId: string) =>
    tx.db
      .selectFrom('memberships')
      .select('role')
      .where('tenant_id', '=', tenantId)
      .where('account_id', '=', lockedId)
      .forNoKeyUpdate()
      .noWait()
      .executeTakeFirstOrThrow();
  provider.setPerson({ ...person, groups: [] });
  const entered = await database.transaction(async (tx) => {
    await lock(tx, first.accountId);
    const entering = enter();
    await waitUntil(async () => (await countWaiting(tx)) > 0);
    // Fails if the other transaction, which waits for the first admin, holds the second one.
    await lock(tx, accountId);
    return { entering };
  });
  await entered.entering;
  expect(await roleOf(service, tenantId, email)).toBe('viewer');
});

import { signIn } from '@tps/testing/browser';
import { useFixture } from '@tps/testing/fixture';
import { TestApplication } from '@tps/testing/oauth';
import { createPerson, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { countWaiting } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import { membershipStore } from '../members/index.ts';
import { startMockProvider } from './testing/mock-provider.ts';
import { newVisitor, openConsole, setProvider, signOn } from './testing/sign-on-scene.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const provider = useFixture(startMockProvider, { close: (server) => server.close() });
const tenant = useFixture(() => service.createTenant(), { scope: 'test' });

const visitor = () => newVisitor(service, provider.issuer);
const requireProvider = () =>
  setProvider(service, tenant, { issuer: provider.issuer, default_role: 'viewer', required: true });

describe('where a tenant requires its provider', () => {
  test('a password opens the account, but not the tenant, except for admins', async () => {
    await requireProvider();
    const { tenantId } = tenant;
    const member = await createPerson(service, { tenantId, role: 'analyst' });
    const admin = await createPerson(service, { tenantId, role: 'admin' });
    const who = visitor();
    await signIn(who.here, admin);
    expect((await openConsole(service, who.here)).status).toBe(200);

    const own = visitor();
    await signIn(own.here, member);
    expect(await openConsole(service, own.here)).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringContaining('requires single sign-on') } },
    });
    const application = await TestApplication.register({ ...service, tenant });
    const asked = await own.here.open(application.authorizationUrl({ scope: 'devices:read' }));
    expect([asked.status, asked.text]).toEqual([403, expect.stringContaining('Use single sign-on')]);
    // The person links the account, and the session of the provider opens the tenant.
    expect((await own.here.open('/auth/account')).text).toContain('Use single sign-on');
    provider.say({ idToken: { sub: 'subject of the member', email: member.email, email_verified: true } });
    await signOn(own, tenant);
    expect((await openConsole(service, own.here)).status).toBe(200);
  });

  test('a password still opens the other tenants of a person', async () => {
    await requireProvider();
    const other = await service.createTenant();
    const person = await createPerson(service, { tenantId: tenant.tenantId, role: 'viewer' });
    const row = { account_id: person.accountId, role: 'viewer', created_by: 'test', created_at: 1 };
    await service.service.database.transaction((tx) =>
      tx.insertMany('memberships', [{ ...row, tenant_id: other.tenantId }]),
    );
    const who = visitor();
    await signIn(who.here, person);
    expect((await openConsole(service, who.here)).body).toMatchObject({ tenants: [{ id: other.tenantId }] });
    expect((await openConsole(service, who.here, tenant)).status).toBe(403);
  });

  test('an admin who is demoted while the console opens does not get in with a password', async ({
    skip,
  }) => {
    const { database } = service.service;
    skip(database.engine === 'sqlite', 'SQLite has one writer at a time');
    await requireProvider();
    const tenantId = tenant.tenantId as TenantId;
    const person = await createPerson(service, { tenantId, role: 'admin' });
    const { here } = visitor();
    await signIn(here, person);
    const { opening } = await database.transaction(async (tx) => {
      await membershipStore.findForUpdate(tx, tenantId, person.accountId);
      const opening = openConsole(service, here);
      await waitUntil(async () => (await countWaiting(tx)) > 0);
      await membershipStore.setRole(tx, { tenantId, accountId: person.accountId }, 'viewer');
      return { opening };
    });
    expect((await opening).status).toBe(401);
    expect((await openConsole(service, here)).status).toBe(403);
  });
});

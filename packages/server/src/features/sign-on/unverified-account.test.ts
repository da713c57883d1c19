import { ROLE_SCOPES } from '@tps/contract';
import { signIn } from '@tps/testing/browser';
import { useFixture } from '@tps/testing/fixture';
import { createPerson, createPersonCredential, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { startIdentityProvider } from './testing/identity-provider.ts';
import { auditOf, newVisitor, roleOf, sessionsOf, setProvider, signOn } from './testing/sign-on-scene.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const provider = useFixture(
  () =>
    startIdentityProvider({
      redirectUri: `${service.baseUrl}/auth/sign-on/callback`,
      hasFullTokens: true,
    }),
  { close: (server) => server.close() },
);
const tenant = useFixture(() => service.createTenant(), { scope: 'test' });
let people = 0;

/** Someone new at the provider. */
function newPerson(claims: object = {}) {
  people += 1;
  const email = `someone-${people}@example.com`;
  const person = {
    sub: `subject-${people}`,
    email,
    email_verified: true,
    name: `Someone ${people}`,
    ...claims,
  };
  provider.setPerson(person);
  return person;
}

const set = (settings: object = {}) =>
  setProvider(service, tenant, { issuer: provider.issuer, create_members: true, ...settings });
const visitor = () => newVisitor(service, provider.issuer);
const enter = (who = visitor()) => signOn(who, { tenantId: tenant.tenantId });

describe('an account with an unverified address', () => {
  test('loses the credentials of its creator at the first sign-on of a person who is signed in', async () => {
    await set({ role_claim: 'groups', role_map: [{ value: 'heads', role: 'admin' }] });
    const { email } = newPerson({ groups: 'heads' });
    // The link of an open invitation lets anyone enter this address.
    const { tenantId } = tenant;
    const squatter = await createPerson(service, { tenantId, email, isEmailVerified: false });
    const credential = await tokenOf(squatter.accountId);
    // The address alone is not enough: an admin who chooses the provider could claim it.
    expect((await enter()).text).toContain('has an account already');
    const inside = visitor();
    await signIn(inside.here, squatter);
    const page = await enter(inside);
    expect(page.text).toContain('has ended: the earlier password');
    expect(await roleOf(service, tenantId, email)).toBe('admin');
    expect((await sessionsOf(service, email)).map(({ methods }) => methods)).toEqual(['["sso"]']);
    await signIn(visitor().here, squatter);
    expect(await sessionsOf(service, email)).toHaveLength(1);
    expect(await auditOf(service, tenantId)).toContain('account.email_verified');
    expect(await emailOf(squatter.accountId)).toMatchObject({ name: expect.stringMatching(/^Someone/) });
    // What programs use stays: the person has used the account before.
    expect((await service.client.send('GET', '/devices', { credential })).status).toBe(200);
    // It is verified now: nothing ends at the next sign-on.
    await enter();
    expect(await sessionsOf(service, email)).toHaveLength(2);
  });

  test('is not verified by a provider that confirms another address', async () => {
    await set({ default_role: 'viewer' });
    const person = newPerson();
    await enter();
    const [session] = await sessionsOf(service, person.email);
    const accountId = session?.account_id ?? '';
    await service.service.database.transaction((tx) =>
      tx.updateMany('accounts', ['account_id'], [{ account_id: accountId, email_verified_at: null }]),
    );
    provider.setPerson({ ...person, email: 'renamed-later@example.com' });
    await enter();
    expect(await emailOf(accountId)).toMatchObject({ email_verified_at: null });
    provider.setPerson(person);
    await enter();
    expect(await emailOf(accountId)).toMatchObject({ email_verified_at: expect.anything() });
  });

  test('that belongs to another tenant does not join this one by single sign-on', async () => {
    await set({ default_role: 'viewer' });
    const { email } = newPerson();
    const other = await service.createTenant();
    const wanted = { tenantId: other.tenantId, email, isEmailVerified: false };
    const person = await createPerson(service, wanted);
    const who = visitor();
    await signIn(who.here, person);
    const refused = await enter(who);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('is not verified')]);
    expect(await roleOf(service, tenant.tenantId, email)).toBeUndefined();
    // The provider has proved nothing: the account stays as it is.
    expect(await sessionsOf(service, email)).toMatchObject([{ methods: '["password"]' }]);
    expect(await emailOf(person.accountId)).toMatchObject({ email_verified_at: null });
  });

  /** A token for a program, which the person has created. */
  async function tokenOf(accountId: string): Promise<string> {
    const person = { accountId, tenantId: tenant.tenantId, scopes: ROLE_SCOPES.admin };
    const credential = await createPersonCredential(service, person);
    const body = { name: 'of a program', scopes: ['devices:read'] };
    const answer = await service.client.send('POST', '/tokens', { credential, body });
    return (answer.body as { token: string }).token;
  }

  const emailOf = (accountId: string) =>
    service.service.database.read.db
      .selectFrom('accounts')
      .select(['name', 'email_verified_at'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
});

import type { CreatedInvitation } from '@tps/contract';
import { FormBrowser, signIn } from '@tps/testing/browser';
import { useFixture } from '@tps/testing/fixture';
import { createPerson, listAudit, type TestPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const tenant = useFixture(() => service.createTenant(), { scope: 'test' });

const send = (method: string, path: string, body?: object) =>
  service.client.send(method, path, { credential: tenant.credential, ...(body && { body }) });

const addMember = (role: 'admin' | 'viewer') => createPerson({ ...service, tenant }, { role });

async function invite(members: object): Promise<CreatedInvitation> {
  return (await send('POST', '/invitations', members)).body as CreatedInvitation;
}

const statusOf = async ({ invitation_id: id }: CreatedInvitation) =>
  ((await send('GET', `/invitations/${id}`)).body as CreatedInvitation).status;

async function openAs(person: TestPerson, { link = '' }: CreatedInvitation) {
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, person);
  return browser.open(link);
}

const ENDS: [string, (person: TestPerson) => Promise<unknown>][] = [
  ['is removed', ({ accountId }) => send('DELETE', `/members/${accountId}`)],
  [
    'gets a role with fewer scopes',
    ({ accountId }) => send('PATCH', `/members/${accountId}`, { role: 'viewer' }),
  ],
];

test.each(ENDS)('a member who %s does not return by an invitation that is still open', async (_what, end) => {
  await addMember('admin');
  const person = await addMember('admin');
  // Sent again, and not used, because the person is a member already.
  const own = await invite({ role: 'admin', email: person.email.toUpperCase() });
  expect((await openAs(person, own)).text).toContain(`Join as ${person.email}`);
  const [other, open] = [
    await invite({ role: 'viewer', email: 'other@example.com' }),
    await invite({ role: 'viewer' }),
  ];
  await end(person);
  expect([await statusOf(own), await statusOf(other), await statusOf(open)]).toEqual([
    'revoked',
    'pending',
    'pending',
  ]);
  expect((await openAs(person, own)).status).toBe(404);
  const entries = await listAudit({ ...service, tenant }, own.invitation_id);
  expect(entries).toEqual(['invitation.create success', 'invitation.revoke success']);
});

test.each([
  ['jos\u00e9@example.com', 'JOS\u00c9@EXAMPLE.COM'],
  ['jos\u00e9@example.org', 'jose\u0301@example.org'],
  ['jose\u0301@example.net', 'jos\u00e9@example.net'],
  ['anna@example.com', '\uff41\uff4e\uff4e\uff41@example.com'],
  ['kim@example.com', '\u212aim@example.com'],
  ['\u0430\u043d\u043d\u0430@example.com', '\u0410\u043d\u043d\u0430@example.com'],
])('nor by one that spells the address %s as %s', async (email, spelling) => {
  await addMember('admin');
  const person = await createPerson({ ...service, tenant }, { role: 'admin', email });
  const own = await invite({ role: 'admin', email: spelling });
  expect((await openAs(person, own)).text).toContain(`Join as ${person.email}`);
  await send('DELETE', `/members/${person.accountId}`);
  expect(await statusOf(own)).toBe('revoked');
});

test('an invitation of a member who gets a role with more scopes stays', async () => {
  const person = await addMember('viewer');
  const own = await invite({ role: 'admin', email: person.email });
  await send('PATCH', `/members/${person.accountId}`, { role: 'analyst' });
  expect(await statusOf(own)).toBe('pending');
});

test('an invitation of another tenant stays', async () => {
  const person = await addMember('viewer');
  const other = await service.createTenant();
  const body = { role: 'viewer', email: person.email };
  const made = await service.client.send('POST', '/invitations', { credential: other.credential, body });
  await send('DELETE', `/members/${person.accountId}`);
  const { invitation_id: id } = made.body as CreatedInvitation;
  const stored = await service.client.send('GET', `/invitations/${id}`, { credential: other.credential });
  expect(stored.body).toMatchObject({ status: 'pending' });
});

import type { CreatedInvitation, Member, SavedView } from '@tps/client';
import { createPerson, startTestService } from '@tps/testing/service';
import { createTpsUser } from '@tps/testing/tps';
import { expect, onTestFinished, test } from 'vitest';

test('an administrator invites, changes and removes people on the command line', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const { tenantId, credential } = service.tenant;
  const user = createTpsUser();
  await user.run(['login', service.baseUrl], { input: credential });
  const create = ['invitations', 'create', '--role', 'analyst', '--email', 'kim@example.com'];
  const text = await user.runWell(...create, '--expires', '24h');
  expect(text).toContain(`${service.baseUrl}/auth/invitation?token=`);
  expect(text).toContain('send the link yourself');
  const { invitation_id: id, ...invitation } = await user.json<CreatedInvitation>(...create);
  expect(invitation).toMatchObject({ email: 'kim@example.com', role: 'analyst', mail: 'none' });
  expect(await user.json('invitations', 'revoke', id)).toEqual({ invitation_id: id, revoked: true });
  expect(await user.runWell('invitations', 'list')).toMatch(/revoked[^\n]*\n[^\n]*pending/);

  await createPerson(service, { tenantId, role: 'admin' });
  const { accountId: member } = await createPerson(service, { tenantId, role: 'viewer' });
  const changed = await user.json<Member>('members', 'update', member, '--role', 'analyst');
  expect(changed).toMatchObject({ account_id: member, role: 'analyst' });
  await user.runWell('members', 'remove', member);
  expect(await user.runWell('members', 'list')).not.toContain(member);
});

test('a person saves, shares and deletes a view on the command line', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const user = createTpsUser();
  await user.run(['login', service.baseUrl], { input: service.tenant.credential });
  const save = ['views', 'save', '--name', 'High', '--page', 'incidents', '--query', 'severity=high'];
  const { view_id: id, ...view } = await user.json<SavedView>(...save);
  expect(view).toMatchObject({ name: 'High', query: 'severity=high', shared: false });
  const changed = await user.json<SavedView>('views', 'update', id, '--share', '--name', 'Ours');
  expect(changed).toMatchObject({ name: 'Ours', shared: true });
  expect(await user.runWell('views', 'list', '--page', 'incidents')).toMatch(/Ours\s+incidents\s+all/);
  await user.runWell('views', 'delete', id);
  expect(await user.json('views', 'list')).toMatchObject([]);
});

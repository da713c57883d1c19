import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CreatedInvitation, Member, NoticeChannel, SavedView } from '@tps/client';
import { exchangeSession, startSession } from '@tps/testing/console';
import { createPerson, startTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { createTpsUser } from '@tps/testing/tps';
import { expect, onTestFinished, test } from 'vitest';
import { UNCALLED_URL } from '../api/operation-requests.ts';

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
  const guest = await createPerson(service, { tenantId, role: 'viewer', isEmailVerified: false });
  const member = guest.accountId;
  expect(await user.runWell('members', 'list')).toMatch(
    new RegExp(`EMAIL VERIFIED[^]*${member}[^\\n]*${guest.email} +no +viewer`),
  );
  const changed = await user.json<Member>('members', 'update', member, '--role', 'analyst');
  expect(changed).toMatchObject({ account_id: member, role: 'analyst', email_verified: false });
  await user.runWell('members', 'remove', member);
  expect(await user.runWell('members', 'list')).not.toContain(member);
});

test('tps lists what ends with a member, asks for confirmation, and adopts it', async () => {
  const service = await startTestService({ env: WEBHOOK_ENV });
  onTestFinished(() => service.stop());
  const { tenantId, credential } = service.tenant;
  const user = createTpsUser();
  await user.run(['login', service.baseUrl], { input: credential });
  await createPerson(service, { tenantId, role: 'admin' });
  const leaving = await createPerson(service, { tenantId, role: 'admin' });
  const { body: session } = await exchangeSession(service, await startSession(service, leaving));
  const { body } = await service.client.send('POST', '/webhooks', {
    credential: session.access_token,
    body: { url: UNCALLED_URL, secret: 'a-secret-of-thirty-two-characters' },
  });
  const { webhook_id: webhook } = body as { webhook_id: string };

  const remove = ['members', 'remove', leaving.accountId];
  const asked = await user.run(remove);
  expect(asked.code).not.toBe(0);
  expect(asked.stderr).toContain(`webhook to ${new URL(UNCALLED_URL).origin} (disabled)`);
  expect(asked.stderr).toContain('--yes');
  const list = ['holdings', 'list', '--owner-id', leaving.accountId];
  expect(await user.json('holdings', 'list')).toMatchObject([{ kind: 'webhook', id: webhook }]);
  const adopted = await user.runWell('holdings', 'adopt', '--owner-id', leaving.accountId);
  expect(adopted).toContain(`webhook:${webhook}`);
  expect(await user.json(...list)).toEqual([]);
  await user.runWell(...remove);
  expect(await user.json('webhooks', 'list')).toMatchObject([{ webhook_id: webhook, status: 'active' }]);
  const wrong = await user.run(['holdings', 'adopt', 'gateway:1']);
  expect(wrong.stderr).toContain('Write <kind>:<id>');
});

test('a person saves, shares and removes a view on the command line', async () => {
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
  await user.runWell('views', 'remove', id);
  expect(await user.json('views', 'list')).toMatchObject([]);
});

test('an administrator creates, changes and removes a notice channel on the command line', async () => {
  const service = await startTestService({ env: WEBHOOK_ENV });
  onTestFinished(() => service.stop());
  const user = createTpsUser();
  await user.run(['login', service.baseUrl], { input: service.tenant.credential });
  // The URL of Slack is a secret: it is read, never an argument.
  const create = ['notices', 'channels', 'create', 'Team', '--slack-file', '-', '--quiet', '22:00-7:00'];
  const created = await user.run([...create, '--time-zone', 'Europe/Berlin', '--json'], {
    input: UNCALLED_URL,
  });
  const { channel_id: id, ...channel } = JSON.parse(created.stdout) as NoticeChannel;
  expect(channel).toMatchObject({
    ...{ name: 'Team', kind: 'slack', min_severity: 'high' },
    quiet_hours: { time_zone: 'Europe/Berlin', from: '22:00', until: '07:00', break_through: 'critical' },
  });
  const open = join(user.directory, 'slack-url');
  writeFileSync(open, UNCALLED_URL);
  chmodSync(open, 0o644);
  const warned = await user.run(['notices', 'channels', 'update', id, '--url-file', open]);
  expect(warned.stderr).toContain('Every user of this machine may read or change the secret');
  const change = ['--no-quiet', '--min-severity', 'critical', '--max-per-hour', '3', '--pause'];
  const changed = await user.json<NoticeChannel>('notices', 'channels', 'update', id, ...change);
  expect(changed).toMatchObject({
    ...{ quiet_hours: null, min_severity: 'critical', max_per_hour: 3, status: 'paused', version: 3 },
  });
  const unclear = await user.run([...create.slice(0, 4), '--mail', 'a@b.c', '--webhook', UNCALLED_URL]);
  expect(unclear.stderr).toContain('Use one of --mail, --slack-file and --webhook.');
  expect(await user.runWell('notices', 'channels', 'list')).toMatch(/Team\s+slack\s+paused\s+critical/);
  await user.runWell('notices', 'channels', 'update', id, '--resume');
  const test = await user.json<{ notice_id: string }>('notices', 'channels', 'test', id);
  expect(await user.json('notices', 'list', '--channel-id', id, '--cause', 'test')).toMatchObject([test]);
  const webhook = await user.runWell('notices', 'channels', 'create', 'Pager', '--webhook', UNCALLED_URL);
  expect(webhook).toMatch(/secret +[\w-]{43}/);
  await user.runWell('notices', 'channels', 'remove', id);
  expect(await user.json('notices', 'channels', 'list')).toHaveLength(1);
});

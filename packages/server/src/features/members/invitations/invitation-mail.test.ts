import type { CreatedInvitation } from '@tps/contract';
import { useMailServer } from '@tps/testing/mail';
import { startTestService, type TestService, useTestService } from '@tps/testing/service';
import { expect, onTestFinished, test } from 'vitest';

const mailServer = useMailServer();
const FROM = 'tps@example.com';
const service = useTestService(() => ({
  env: { SERVICE_SMTP_URL: mailServer.url, SERVICE_SMTP_FROM: FROM },
}));

async function invite(members: object, { client, tenant }: TestService = service) {
  const body = { role: 'analyst', ...members };
  const answer = await client.send('POST', '/invitations', { credential: tenant.credential, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as CreatedInvitation & { link: string };
}

const secretOf = (link: string) => new URL(link).searchParams.get('token') ?? '';

test('an invitation is mailed to its address, and to no other', async () => {
  const { link, mail } = await invite({ email: 'kim@example.com' });
  expect(mail).toBe('sent');
  expect(mailServer.mails).toHaveLength(1);
  const [received] = mailServer.mails;
  expect(received).toMatchObject({ from: FROM, to: ['kim@example.com'] });
  expect(received?.headers).toMatch(/^Subject: Invitation to live\r?$/m);
  expect(received?.text).toContain(link);
  expect(received?.text).toContain('the role analyst');
  expect((await invite({})).mail).toBe('none');
  expect(mailServer.mails).toHaveLength(1);
});

test('the name of a tenant adds no header to a mail', async () => {
  const { database } = service.service;
  const rename = (name: string) =>
    database.transaction((tx) => tx.db.updateTable('tenants').set({ name }).execute());
  await rename('Acme\r\nBcc: eve@example.com\r\n\r\nbody');
  await invite({ email: 'lee@example.com' });
  await rename('live');
  const received = mailServer.mails.at(-1);
  expect(received?.to).toEqual(['lee@example.com']);
  expect(received?.headers).toMatch(/^Subject: Invitation to Acme Bcc: eve@example\.com body\r?$/m);
  expect(received?.headers).not.toMatch(/^Bcc/im);
});

test('a mail that fails is reported to the inviter, and the log has neither link nor address', async () => {
  mailServer.refuse(true);
  const { link, mail, invitation_id: id } = await invite({ email: 'max@example.com' });
  mailServer.refuse(false);
  expect(mail).toBe('failed');
  expect(service.log()).toContain('mail could not be sent');
  expect(service.log()).not.toContain(secretOf(link));
  expect(service.log()).not.toContain('max@example.com');
  // The invitation stands: the inviter passes the link on.
  const { credential } = service.tenant;
  const { body } = await service.client.send('GET', `/invitations/${id}`, { credential });
  expect(body).toMatchObject({ status: 'pending' });
});

test('without TLS, no mail leaves this machine', async () => {
  const before = mailServer.mails.length;
  // This machine, under an address that is not loopback.
  const SERVICE_SMTP_URL = mailServer.url.replace('127.0.0.1', '0.0.0.0');
  const other = await startTestService({ env: { SERVICE_SMTP_URL, SERVICE_SMTP_FROM: FROM } });
  onTestFinished(() => other.stop());
  expect((await invite({ email: 'kim@example.com' }, other)).mail).toBe('failed');
  expect(mailServer.mails).toHaveLength(before);
});

import type { CreatedInvitation } from '@tps/contract';
import { useMailServer } from '@tps/testing/mail';
import { type TestTenant, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const clock = new ManualClock(Date.now());
const mailServer = useMailServer();
const service = useTestService(() => ({
  clock,
  env: { SERVICE_SMTP_URL: mailServer.url, SERVICE_SMTP_FROM: 'tps@example.com' },
}));
// Mails of the test before are forgotten.
beforeEach(() => clock.advance(48 * HOUR_MS));

async function invite(
  email: string,
  { credential }: TestTenant,
  baseUrl = service.baseUrl,
): Promise<CreatedInvitation> {
  const response = await fetch(`${baseUrl}/invitations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'viewer', email }),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as CreatedInvitation;
}

const mailsTo = (domain: string) => mailServer.mails.filter(({ to }) => to[0]?.endsWith(domain));

test('a tenant mails 5 invitations a day to one mailbox, and always gets the link', async () => {
  const tenant = await service.createTenant();
  const spellings = ['kim@one.example', 'KIM@one.example', 'kim+a@one.example', 'k.im@one.example'];
  const outcomes = [];
  for (let time = 0; time < 8; time += 1) {
    const { mail, link } = await invite(spellings[time % 4] ?? '', tenant);
    expect(link).toContain('/auth/invitation?token=');
    outcomes.push(mail);
  }
  expect(outcomes).toEqual([...Array.from({ length: 5 }, () => 'sent'), 'limited', 'limited', 'limited']);
  expect(mailsTo('@one.example')).toHaveLength(5);
  clock.advance(23 * HOUR_MS);
  expect((await invite('kim@one.example', tenant)).mail).toBe('limited');
  // Other mailboxes are not affected.
  expect((await invite('lee@one.example', tenant)).mail).toBe('sent');
  clock.advance(HOUR_MS);
  expect((await invite('kim@one.example', tenant)).mail).toBe('sent');
});

test('all tenants together mail 20 invitations a day to one mailbox, on any node', async () => {
  const isShared = process.env.TEST_STORE === 'postgres';
  const second = isShared ? await service.startNode() : undefined;
  const nodes = [service.baseUrl, second?.baseUrl ?? service.baseUrl];
  const tenants = await Promise.all(Array.from({ length: 6 }, () => service.createTenant()));
  const outcomes = [];
  for (const tenant of tenants) {
    for (let time = 0; time < 5; time += 1) {
      outcomes.push((await invite('kim@two.example', tenant, nodes[time % 2])).mail);
    }
  }
  await second?.stop();
  expect(outcomes.filter((mail) => mail === 'sent')).toHaveLength(20);
  expect(mailsTo('@two.example')).toHaveLength(20);
});

test('a tenant mails 200 invitations a day, and no other tenant is affected', async () => {
  const tenant = await service.createTenant();
  const outcomes = [];
  for (let person = 0; person < 205; person += 1) {
    outcomes.push((await invite(`person-${person}@three.example`, tenant)).mail);
  }
  expect(outcomes.filter((mail) => mail === 'sent')).toHaveLength(200);
  expect(outcomes.slice(200)).toEqual(Array.from({ length: 5 }, () => 'limited'));
  expect((await invite('person@three.example', await service.createTenant())).mail).toBe('sent');
});

test('mails of a tenant that get no answer do not delay those of another tenant', async () => {
  const tenant = await service.createTenant();
  const other = await service.createTenant();
  mailServer.hold('slow.example');
  const waiting = Array.from({ length: 20 }, (_, person) => invite(`person-${person}@slow.example`, tenant));
  await expect.poll(() => mailServer.held()).toBeGreaterThan(1);
  expect((await invite('kim@four.example', other)).mail).toBe('sent');
  mailServer.hold(undefined);
  const outcomes = (await Promise.all(waiting)).map(({ mail }) => mail);
  expect(outcomes).toEqual(Array.from({ length: 20 }, () => 'sent'));
});

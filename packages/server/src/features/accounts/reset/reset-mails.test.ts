import { FormBrowser } from '@tps/testing/browser';
import { useMailServer } from '@tps/testing/mail';
import { createPerson, useTestService } from '@tps/testing/service';
import { ManualClock, waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';

const STEP_MS = 600_000;
const clock = new ManualClock();
const mailServer = useMailServer();
const service = useTestService(() => ({
  clock,
  env: {
    SERVICE_RATE_LIMIT_TRUST_PROXY: 'true',
    SERVICE_SMTP_URL: mailServer.url,
    SERVICE_SMTP_FROM: 'tps@example.com',
  },
}));

test('requests by others cause at most one mail an hour, and the link of the last one works', async () => {
  const { email } = await createPerson(service);
  const { mails } = mailServer;
  let refused = 0;
  for (let step = 0; step < 144; step += 1) {
    const headers = { 'x-forwarded-for': `203.0.113.${step}` };
    const stranger = new FormBrowser(service.baseUrl);
    const before = mails.length;
    const form = await stranger.open('/auth/reset', headers);
    const answer = await stranger.submit(form, { email }, { headers });
    if (answer.status === 200) await waitUntil(() => mails.length > before);
    else {
      refused += 1;
      const [link = ''] = /http\S+/.exec(mails.at(-1)?.text ?? '') ?? [];
      expect((await new FormBrowser(service.baseUrl).open(link, headers)).status).toBe(200);
    }
    clock.advance(STEP_MS);
  }
  expect(refused).toBeGreaterThan(100);
  expect(mails.length).toBeLessThan(33);
});

test('reset mails, which anyone can request, do not delay an invitation', async () => {
  const people = await Promise.all(
    Array.from({ length: 20 }, (_, index) => createPerson(service, { email: `kim-${index}@slow.example` })),
  );
  mailServer.hold('slow.example');
  for (const [index, { email }] of people.entries()) {
    const headers = { 'x-forwarded-for': `198.51.100.${index}` };
    const stranger = new FormBrowser(service.baseUrl);
    const form = await stranger.open('/auth/reset', headers);
    expect((await stranger.submit(form, { email }, { headers })).status).toBe(200);
  }
  await expect.poll(() => mailServer.held()).toBeGreaterThan(3);
  const { credential } = service.tenant;
  const body = { role: 'viewer', email: 'lee@example.com' };
  const invited = await service.client.send('POST', '/invitations', { credential, body });
  expect(invited.body).toMatchObject({ mail: 'sent' });
  mailServer.hold(undefined);
  const mailsToAll = () => mailServer.mails.filter(({ to }) => to[0]?.endsWith('@slow.example'));
  await expect.poll(() => mailsToAll().length).toBe(20);
});

import { ACCESS_LIMITS } from '@tps/contract/vocabulary';
import { FormBrowser, signIn } from '@tps/testing/browser';
import { exchangeSession, startSession } from '@tps/testing/console';
import { createPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import type { TenantId } from '../../../platform/tenant-id.ts';

const running = useTestService();

const statusOf = async (secret: string | undefined) => (await exchangeSession(running, secret)).status;

test('an account has at most 100 sessions: then the one that was seen longest ago ends', async () => {
  const person = await createPerson(running);
  const other = await startSession(running, await createPerson(running));
  const nowMs = Date.now();
  const tenantId = running.tenant.tenantId as TenantId;
  // Sessions of single sign-on count separately.
  const signedOn = await startSession(running, { ...person, nowMs: nowMs - 3_600_000, tenantId });
  const secrets: string[] = [];
  for (let count = 0; count < ACCESS_LIMITS.sessions; count += 1) {
    secrets.push(await startSession(running, { ...person, nowMs: nowMs - 1_000_000 + count }));
  }
  const token = (await exchangeSession(running, secrets[0])).body.access_token;
  // This one was seen longest ago.
  await running.service.database.transaction((tx) =>
    tx.db
      .updateTable('account_sessions')
      .set({ seen_at: nowMs - 1_000_001 })
      .where('account_id', '=', person.accountId)
      .where('created_at', '=', nowMs - 1_000_000 + 7)
      .execute(),
  );
  const here = new FormBrowser(running.baseUrl);
  await signIn(here, person);
  expect(await statusOf(secrets[7])).toBe(401);
  for (const secret of [secrets[0], secrets[1], secrets[99], signedOn, other]) {
    expect(await statusOf(secret)).toBe(200);
  }
  const read = async () => (await running.client.send('GET', '/status', { credential: token })).status;
  expect(await read()).toBe(200);
  const { html } = await here.open('/auth/account/sessions');
  // The rows, and the head of the table.
  expect(html.match(/<tr>/g)).toHaveLength(ACCESS_LIMITS.sessions + 2);

  const again = new FormBrowser(running.baseUrl);
  await signIn(again, person);
  const { db } = running.service.database.read;
  const own = db
    .selectFrom('account_sessions')
    .select('session_id')
    .where('account_id', '=', person.accountId);
  expect(await own.where('tenant_id', 'is', null).execute()).toHaveLength(ACCESS_LIMITS.sessions);
  const { body } = await running.client.send('GET', '/audit?action=account.login', {
    credential: running.tenant.credential,
  });
  expect((body as { data: object[] }).data).toMatchObject([
    { fields: { sessions_ended: 1 } },
    { fields: { sessions_ended: 1 } },
  ]);
});

import { createPerson, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import * as recordStore from './record-store.ts';
import { APP, grantCode } from './testing/code-grant.ts';
import { createClient, type OauthTestClient, statusOf, tokenRequest } from './testing/oauth-requests.ts';

const DAY_MS = 86_400_000;
const clock = new ManualClock(Date.now());
const running = useTestService({ clock });

async function granted(settings: Readonly<Record<string, unknown>> = {}) {
  const person = await createPerson(running, { nowMs: clock.now() });
  const client = await createClient(running, { ...APP, ...settings });
  const form = await grantCode(running, client, { person, scope: 'status:read events:read' });
  const { body } = await tokenRequest(running, client, form);
  return { client, refreshToken: String(body.refresh_token), accessToken: String(body.access_token) };
}

const refresh = async (client: OauthTestClient, refreshToken: string, more: Record<string, string> = {}) => {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...more };
  const { status, body } = await tokenRequest(running, client, form);
  const { access_token: access, refresh_token: next, error, scope } = body;
  return { status, error, scope, accessToken: String(access), refreshToken: String(next) };
};

test('a second use of a refresh token ends the grant with its newest tokens', async () => {
  const { client, refreshToken } = await granted();
  const next = await refresh(client, refreshToken);
  expect(await statusOf(running, next.accessToken)).toBe(200);
  expect(await refresh(client, refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await statusOf(running, next.accessToken)).toBe(401);
  expect(await refresh(client, next.refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
});

test('in the grace period, a refresh token works again and replaces the lost answer', async () => {
  const { client, refreshToken, accessToken } = await granted({ refresh_grace_s: 10 });
  clock.advance(1000);
  const lost = await refresh(client, refreshToken);
  clock.advance(5000);
  const repeated = await refresh(client, refreshToken);
  expect(repeated.status).toBe(200);
  // The token from before the lost answer stays.
  const tokens = [accessToken, lost.accessToken, repeated.accessToken];
  expect(await Promise.all(tokens.map((token) => statusOf(running, token)))).toEqual([200, 401, 200]);
  expect(await refresh(client, lost.refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
  const next = await refresh(client, repeated.refreshToken);
  expect(next.status).toBe(200);
  // No answer was lost before a third use.
  expect(await refresh(client, refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await statusOf(running, next.accessToken)).toBe(401);
});

test.each([
  ['after the grace period', async () => clock.advance(11_000)],
  [
    'when the next one was used',
    async (client: OauthTestClient, next: string) => expect((await refresh(client, next)).status).toBe(200),
  ],
] as const)('a second use of a refresh token %s ends the grant', async (_, meanwhile) => {
  const { client, refreshToken } = await granted({ refresh_grace_s: 10 });
  const next = await refresh(client, refreshToken);
  await meanwhile(client, next.refreshToken);
  expect(await refresh(client, refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await statusOf(running, next.accessToken)).toBe(401);
});

test('a refresh reads the token of its grant that can be used, and none that was used long ago', async () => {
  const { client, refreshToken } = await granted({ refresh_grace_s: 10 });
  let last = refreshToken;
  for (let count = 0; count < 3; count += 1) last = (await refresh(client, last)).refreshToken;
  clock.advance(DAY_MS);
  const { database } = running.service;
  const used = await database.transaction((tx) =>
    tx.db
      .updateTable('oauth_records')
      .set({ payload: 'unreadable' })
      .where('client_id', '=', client.clientId)
      .where('consumed_at', 'is not', null)
      .returning('grant_id')
      .execute(),
  );
  expect(used).toHaveLength(4);
  expect(await recordStore.listUnused(database.read, used[0]?.grant_id ?? '', clock.now())).toHaveLength(1);
  await refresh(client, last);
  const repeated = await refresh(client, last);
  expect(repeated.status).toBe(200);
  expect((await refresh(client, repeated.refreshToken)).status).toBe(200);
});

test('a refresh can ask for fewer scopes, and not for more', async () => {
  const { client, refreshToken } = await granted({ scopes: ['status:read', 'events:read', 'jobs:read'] });
  const fewer = await refresh(client, refreshToken, { scope: 'status:read' });
  expect(fewer).toMatchObject({ status: 200, scope: 'status:read' });
  const more = await refresh(client, fewer.refreshToken, { scope: 'status:read jobs:read' });
  expect(more).toMatchObject({ status: 400, error: 'invalid_scope' });
});

test('another client cannot use a refresh token, and does not end the grant by trying', async () => {
  const { client, refreshToken } = await granted();
  const other = await createClient(running, APP);
  expect(await refresh(other, refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect((await refresh(client, refreshToken)).status).toBe(200);
});

test('a refresh token ends after 30 days without use, and its grant after 90 days in any case', async () => {
  const idle = await granted();
  clock.advance(30 * DAY_MS);
  expect(await refresh(idle.client, idle.refreshToken)).toMatchObject({ error: 'invalid_grant' });

  const busy = await granted();
  let { refreshToken } = busy;
  for (const days of [29, 29, 29]) {
    clock.advance(days * DAY_MS);
    const next = await refresh(busy.client, refreshToken);
    expect(next.status).toBe(200);
    refreshToken = next.refreshToken;
  }
  clock.advance(3 * DAY_MS);
  expect(await refresh(busy.client, refreshToken)).toMatchObject({ error: 'invalid_grant' });
});

import { ACCESS_LIMITS } from '@tps/contract/vocabulary';
import { exchangeSession, startSession } from '@tps/testing/console';
import { createPerson, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { recordHashOf } from './record-store.ts';
import { APP, grantCode } from './testing/code-grant.ts';
import { createClient, type OauthTestClient, statusOf, tokenRequest } from './testing/oauth-requests.ts';

const clock = new ManualClock(Date.now());
const running = useTestService({ clock });
const PROGRAM = { grant_type: 'client_credentials' };

async function redeem(client: OauthTestClient, form: Readonly<Record<string, string>>) {
  const { status, body } = await tokenRequest(running, client, form);
  return { status, access: String(body.access_token), refresh: String(body.refresh_token) };
}

/** Copies the only row with this value, as if there were so many more, each of which expires later. */
async function copy(
  table: 'tokens' | 'oauth_records',
  where: { column: 'client_id' | 'grant_id' | 'account_id'; value: string; model?: string },
  count: number,
): Promise<void> {
  const { database } = running.service;
  await database.transaction(async (tx) => {
    const query = tx.db.selectFrom(table).selectAll().where(where.column, '=', where.value);
    const rows = (await query.execute()) as { expires_at: number; model?: string; grant_id: string }[];
    const [row, ...others] = rows.filter(({ model }) => model === where.model);
    if (!row || others.length > 0) throw new Error('there is not one row');
    const copies = Array.from({ length: count }, (_, at) => {
      const grantId = `${row.grant_id}_${at}`;
      return {
        ...row,
        expires_at: row.expires_at + at + 1,
        ...(table === 'tokens'
          ? {
              token_id: `tok_${where.value}_${at}`,
              token_hash: `${where.value} ${at}`,
              ...(where.column === 'account_id' && { grant_id: grantId }),
            }
          : { record_hash: recordHashOf('Grant', grantId), grant_id: grantId }),
      };
    });
    await tx.insertMany(table, copies as never[]);
  });
  // What is issued from now on expires last.
  clock.advance(count + 1);
}

async function countTokens(column: 'client_id' | 'grant_id', value: string): Promise<number> {
  const { db } = running.service.database.read;
  const live = db.selectFrom('tokens').select('token_id').where('revoked_at', 'is', null);
  return (await live.where(column, '=', value).execute()).length;
}

async function liveGrants({ clientId }: OauthTestClient): Promise<number> {
  const { db } = running.service.database.read;
  const grants = db.selectFrom('oauth_records').select('grant_id').where('model', '=', 'Grant');
  const live = grants.where('client_id', '=', clientId).where('expires_at', '>', clock.now());
  return (await live.execute()).length;
}

const refreshed = (client: OauthTestClient, refresh_token: string) =>
  redeem(client, { grant_type: 'refresh_token', refresh_token });

test('a person has at most 100 grants for one client: then the one that would expire first ends', async () => {
  const client = await createClient(running, APP);
  const person = await createPerson(running, { nowMs: clock.now() });
  const begin = () => grantCode(running, client, { person, scope: 'status:read' });
  const first = await redeem(client, await begin());
  const other = await createPerson(running, { nowMs: clock.now() });
  const others = await redeem(
    client,
    await grantCode(running, client, { person: other, scope: 'status:read' }),
  );
  const { database } = running.service;
  const [row] = await database.read.db
    .selectFrom('oauth_records')
    .select('grant_id')
    .where('account_id', '=', person.accountId)
    .where('model', '=', 'Grant')
    .execute();
  const grantId = row?.grant_id ?? '';
  await copy(
    'oauth_records',
    { column: 'grant_id', value: grantId, model: 'Grant' },
    ACCESS_LIMITS.grants - 1,
  );
  expect(await statusOf(running, first.access)).toBe(200);

  const next = await redeem(client, await begin());
  expect(await statusOf(running, first.access)).toBe(401);
  expect((await refreshed(client, first.refresh)).status).toBe(400);
  expect(await statusOf(running, next.access)).toBe(200);
  expect(await statusOf(running, others.access)).toBe(200);
  expect(await liveGrants(client)).toBe(ACCESS_LIMITS.grants + 1);
  const { body } = await running.client.send('GET', '/audit?action=oauth.revoke', {
    credential: running.tenant.credential,
  });
  expect((body as { data: unknown[] }).data).toMatchObject([
    { actor: { type: 'service' }, resource: { id: client.clientId } },
  ]);

  // Requests that are not redeemed end one another, and no more of what is used.
  for (let count = 0; count < 3; count += 1) await begin();
  expect(await liveGrants(client)).toBe(ACCESS_LIMITS.grants + 1);
  expect((await refreshed(client, next.refresh)).status).toBe(200);
});

test('a grant has at most 10 live access tokens: then the oldest ends', async () => {
  const client = await createClient(running, APP);
  const person = await createPerson(running, { nowMs: clock.now() });
  const form = await grantCode(running, client, { person, scope: 'status:read' });
  const issued = [await redeem(client, form)];
  for (let count = 0; count < ACCESS_LIMITS.tokensOfGrant; count += 1) {
    clock.advance(1000);
    issued.push(await refreshed(client, issued.at(-1)?.refresh ?? ''));
  }
  const statuses: number[] = [];
  for (const { access } of issued) statuses.push(await statusOf(running, access));
  expect(statuses).toEqual([401, ...Array(ACCESS_LIMITS.tokensOfGrant).fill(200)]);
});

test('a client has at most 1000 live access tokens of itself: then the oldest ends', async () => {
  const client = await createClient(running, { scopes: ['status:read'] });
  const first = await redeem(client, PROGRAM);
  await copy('tokens', { column: 'client_id', value: client.clientId }, ACCESS_LIMITS.tokensOfClient - 1);
  expect(await statusOf(running, first.access)).toBe(200);
  const next = await Promise.all(Array.from({ length: 5 }, () => redeem(client, PROGRAM)));
  expect(await statusOf(running, first.access)).toBe(401);
  for (const { access } of next) expect(await statusOf(running, access)).toBe(200);
  expect(await countTokens('client_id', client.clientId)).toBe(ACCESS_LIMITS.tokensOfClient);
});

test('a session has at most 100 live tokens of the console: then the oldest ends', async () => {
  const person = await createPerson(running, { nowMs: clock.now() });
  const secret = await startSession(running, { ...person, nowMs: clock.now() });
  const exchange = async () => (await exchangeSession(running, secret)).body.access_token;
  const first = await exchange();
  const { db } = running.service.database.read;
  const sessions = db.selectFrom('account_sessions').select('session_id');
  const [session] = await sessions.where('account_id', '=', person.accountId).execute();
  const value = session?.session_id ?? '';
  await copy('tokens', { column: 'grant_id', value }, ACCESS_LIMITS.tokensOfConsoleSession - 1);
  expect(await statusOf(running, first)).toBe(200);
  const next = await exchange();
  expect([await statusOf(running, first), await statusOf(running, next)]).toEqual([401, 200]);
  expect(await countTokens('grant_id', value)).toBe(ACCESS_LIMITS.tokensOfConsoleSession);
});

test('a person has at most 1000 live access tokens in a tenant: then the oldest ends', async () => {
  const client = await createClient(running, APP);
  const person = await createPerson(running, { nowMs: clock.now() });
  const grant = () => grantCode(running, client, { person, scope: 'status:read' });
  const first = await redeem(client, await grant());
  const count = ACCESS_LIMITS.tokensOfPerson - 1;
  await copy('tokens', { column: 'account_id', value: person.accountId }, count);
  expect(await statusOf(running, first.access)).toBe(200);
  const next = await redeem(client, await grant());
  expect(await statusOf(running, first.access)).toBe(401);
  expect(await statusOf(running, next.access)).toBe(200);
  // Its grant stays.
  expect((await refreshed(client, first.refresh)).status).toBe(200);
});

import { createPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { ExpectedPoints } from '../../maintenance/verify/checkpoint.ts';
import { verifyLogged } from '../../maintenance/verify/verify-logged.ts';
import { purgeOauth } from './purge-oauth.ts';
import { APP, grantCode } from './testing/code-grant.ts';
import { createClient, tokenRequest } from './testing/oauth-requests.ts';

const running = useTestService();

test('an access token with more scopes than the audit log says is reported', async () => {
  const { database } = running.service;
  const { tenantId } = running.tenant;
  const client = await createClient(running, { scopes: ['status:read'] });
  await tokenRequest(running, client, { grant_type: 'client_credentials' });
  const app = await createClient(running, APP);
  const person = await createPerson(running);
  await tokenRequest(running, app, await grantCode(running, app, { person, scope: 'status:read' }));
  const verify = async () =>
    (await verifyLogged(database.read, tenantId, { expected: new ExpectedPoints(), mayBeErased: true }))
      .tokens.problems;
  expect(await verify()).toEqual([]);

  await database.transaction((tx) =>
    tx.db
      .updateTable('tokens')
      .set({ scopes: '["status:read","tokens:write"]' })
      .where('client_id', 'in', [client.clientId, app.clientId])
      .execute(),
  );
  expect(await verify()).toHaveLength(2);
});

test('expired records and tokens are deleted, and live ones stay', async () => {
  const { database } = running.service;
  const client = await createClient(running, { scopes: ['status:read'] });
  await tokenRequest(running, client, { grant_type: 'client_credentials' });
  const count = async () => {
    const records = await database.read.db
      .selectFrom('oauth_records')
      .select('model')
      .where('client_id', '=', client.clientId)
      .execute();
    const tokens = await database.read.db
      .selectFrom('tokens')
      .select('token_id')
      .where('client_id', '=', client.clientId)
      .execute();
    return [records.length, tokens.length];
  };
  const { signal } = new AbortController();
  await purgeOauth(database, { nowMs: Date.now(), signal });
  expect(await count()).toEqual([1, 1]);
  await purgeOauth(database, { nowMs: Date.now() + 3_700_000, signal });
  expect(await count()).toEqual([0, 1]);
  await purgeOauth(database, { nowMs: Date.now() + 3_700_000 + 86_400_000, signal });
  expect(await count()).toEqual([0, 0]);
});

test('a grant lasts as long as what was issued under it, and an hour without anything', async () => {
  const { database } = running.service;
  const app = await createClient(running, APP);
  const person = await createPerson(running);
  const { body } = await tokenRequest(
    running,
    app,
    await grantCode(running, app, { person, scope: 'status:read' }),
  );
  for (let time = 0; time < 3; time += 1) await grantCode(running, app, { person, scope: 'status:read' });
  const { signal } = new AbortController();
  const countAfter = async (ms: number) => {
    await purgeOauth(database, { nowMs: Date.now() + ms, signal });
    const grants = database.read.db.selectFrom('oauth_records').select('model').where('model', '=', 'Grant');
    return (await grants.where('client_id', '=', app.clientId).execute()).length;
  };
  expect(await countAfter(0)).toBe(4);
  // An hour, and the difference of clocks.
  expect(await countAfter(4_000_000)).toBe(1);
  const again = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
  expect(await tokenRequest(running, app, again)).toMatchObject({ status: 200 });
  expect(await countAfter(29 * 86_400_000)).toBe(1);
  expect(await countAfter(31 * 86_400_000)).toBe(0);
});

test('the upkeep deletes the used tokens of an ended grant, and until then none can be used', async () => {
  const { database } = running.service;
  const app = await createClient(running, APP);
  const person = await createPerson(running);
  const refresh = (refreshToken: string) =>
    tokenRequest(running, app, { grant_type: 'refresh_token', refresh_token: refreshToken });
  const form = await grantCode(running, app, { person, scope: 'status:read' });
  const tokens = [String((await tokenRequest(running, app, form)).body.refresh_token)];
  for (let count = 0; count < 2; count += 1) {
    tokens.push(String((await refresh(tokens.at(-1) ?? '')).body.refresh_token));
  }
  const kept = await grantCode(running, app, { person: await createPerson(running), scope: 'status:read' });
  const list = () =>
    database.read.db
      .selectFrom('oauth_records')
      .select('model')
      .where('client_id', '=', app.clientId)
      .where('account_id', '=', person.accountId)
      .execute();
  const before = await list();
  const answer = await running.client.send('DELETE', `/members/${person.accountId}`, {
    credential: running.tenant.credential,
  });
  expect(answer.status).toBe(204);
  // The work of the removal does not grow with them.
  expect(await list()).toHaveLength(before.length);
  for (const token of tokens) expect(await refresh(token)).toMatchObject({ status: 400 });
  expect(await tokenRequest(running, app, form)).toMatchObject({ status: 400 });
  const detected = database.read.db.selectFrom('audit_entries').select('audit_id');
  expect(await detected.where('action', '=', 'oauth.reuse_detected').execute()).toEqual([]);

  await purgeOauth(database, { nowMs: Date.now(), signal: new AbortController().signal });
  expect(await list()).toEqual([]);
  expect(await tokenRequest(running, app, kept)).toMatchObject({ status: 200 });
});

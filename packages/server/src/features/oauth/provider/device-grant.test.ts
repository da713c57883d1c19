import { approveDevice, FormBrowser, signIn } from '@tps/testing/browser';
import { createPerson, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { COMMAND_LINE_CLIENT } from '../command-line-client.ts';
import { statusOf, tokenRequest } from './testing/oauth-requests.ts';

const clock = new ManualClock(Date.now());
const running = useTestService({ clock });
const CLI = { tenantId: '', clientId: COMMAND_LINE_CLIENT, secret: '', authMethod: 'none' };
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

async function begin() {
  const { body } = await tokenRequest(
    running,
    CLI,
    { scope: 'status:read tokens:write tokens:read' },
    { endpoint: '/device/code' },
  );
  const redeem = { grant_type: DEVICE, device_code: String(body.device_code) };
  return { body, redeem };
}

test('the command line gets tokens once a person has entered its code, and can refresh them', async () => {
  const person = await createPerson(running, { role: 'admin', nowMs: clock.now() });
  const { body, redeem } = await begin();
  expect(body).toMatchObject({
    user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
    verification_uri: `${running.baseUrl}/auth/device`,
    expires_in: 600,
  });
  expect((await tokenRequest(running, CLI, redeem)).body.error).toBe('authorization_pending');

  const browser = new FormBrowser(running.baseUrl);
  await signIn(browser, person);
  await approveDevice(browser, String(body.user_code));
  const tokens = await tokenRequest(running, CLI, redeem);
  expect([tokens.status, await statusOf(running, tokens.body.access_token)]).toEqual([200, 200]);
  const refresh = { grant_type: 'refresh_token', refresh_token: String(tokens.body.refresh_token) };
  const next = await tokenRequest(running, CLI, refresh);
  expect([next.status, await statusOf(running, next.body.access_token)]).toEqual([200, 200]);

  // A second use of the code ends everything.
  expect((await tokenRequest(running, CLI, redeem)).body.error).toBe('invalid_grant');
  expect(await statusOf(running, next.body.access_token)).toBe(401);
});

test('the command line changes who has access only within 10 minutes of a sign-in', async () => {
  const person = await createPerson(running, { role: 'admin', nowMs: clock.now() });
  const { body, redeem } = await begin();
  const browser = new FormBrowser(running.baseUrl);
  await signIn(browser, person);
  await approveDevice(browser, String(body.user_code));
  const first = await tokenRequest(running, CLI, redeem);
  const createToken = (token: unknown) =>
    fetch(`${running.baseUrl}/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'made by a person', scopes: ['status:read'] }),
    });
  expect((await createToken(first.body.access_token)).status).toBe(201);

  clock.advance(601_000);
  const refresh = { grant_type: 'refresh_token', refresh_token: String(first.body.refresh_token) };
  const { body: next } = await tokenRequest(running, CLI, refresh);
  for (const token of [first.body.access_token, next.access_token]) {
    const refused = await createToken(token);
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      { error: { code: 'reauthentication_required' } },
    ]);
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", max_age=600',
    );
    expect(await statusOf(running, token)).toBe(200);
  }
});

test('the codes of a device are stored as hashes only', async () => {
  const { body } = await begin();
  const rows = await running.service.database.read.db.selectFrom('oauth_records').selectAll().execute();
  const stored = JSON.stringify(rows);
  for (const code of [
    String(body.device_code),
    String(body.user_code),
    String(body.user_code).replace('-', ''),
  ]) {
    expect(stored).not.toContain(code);
  }
});

test('a device code ends after ten minutes', async () => {
  const { redeem } = await begin();
  clock.advance(601_000);
  expect((await tokenRequest(running, CLI, redeem)).body.error).toMatch(/expired_token|invalid_grant/);
});

test('the stored hash of a device code does not redeem it', async () => {
  const { body } = await begin();
  const row = await running.service.database.read.db
    .selectFrom('oauth_records')
    .select('record_hash')
    .where('model', '=', 'DeviceCode')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  expect(body.device_code).toBeDefined();
  const redeem = { grant_type: DEVICE, device_code: `#${row.record_hash}` };
  expect((await tokenRequest(running, CLI, redeem)).body.error).toBe('invalid_grant');
});

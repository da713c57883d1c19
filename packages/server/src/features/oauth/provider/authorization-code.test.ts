import { createPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { APP, grantCode } from './testing/code-grant.ts';
import { createClient, tokenRequest } from './testing/oauth-requests.ts';

const running = useTestService();

test('a person allows a client, and its tokens work until the refresh token is revoked', async () => {
  const person = await createPerson(running, { role: 'admin' });
  const client = await createClient(running, APP);
  const redeem = await grantCode(running, client, { person, scope: 'openid status:read' });
  const { status, body } = await tokenRequest(running, client, redeem);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      access_token: expect.stringMatching(/^svc_at_[0-9A-Za-z]{39}$/),
      refresh_token: expect.stringMatching(/^svc_rt_[0-9A-Za-z]{39}$/),
      id_token: expect.any(String),
      expires_in: 3600,
      scope: 'status:read',
    },
  });
  expect(await statusOf(body.access_token)).toBe(200);

  const refresh = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
  const next = await tokenRequest(running, client, refresh);
  expect([next.status, await statusOf(next.body.access_token)]).toEqual([200, 200]);
  expect(next.body.refresh_token).not.toBe(body.refresh_token);

  const token = String(next.body.refresh_token);
  expect((await tokenRequest(running, client, { token }, { endpoint: '/revoke' })).status).toBe(200);
  expect(await statusOf(next.body.access_token)).toBe(401);
  expect(await statusOf(body.access_token)).toBe(401);
});

async function statusOf(token: unknown): Promise<number> {
  const response = await fetch(`${running.baseUrl}/status`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.arrayBuffer();
  return response.status;
}

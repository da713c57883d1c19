import { randomUUID } from 'node:crypto';
import { authorize, FormBrowser, signIn } from '@tps/testing/browser';
import { createPerson, useTestService } from '@tps/testing/service';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { APP, authorizationUrl, REDIRECT_URI } from './testing/code-grant.ts';
import { createClient, purgeAhead, tokenRequest } from './testing/oauth-requests.ts';

const running = useTestService({ env: { SERVICE_AUTH_PAR: 'on' } });

test('a client proves its identity with a signed assertion, once per assertion', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: 'a' };
  const client = await createClient(running, {
    scopes: ['status:read'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [jwk] },
  });
  const rule = 'urn:example:rule';
  const assert = (claims: Readonly<Record<string, unknown>> = {}, header = {}) =>
    new SignJWT({
      iss: client.clientId,
      sub: client.clientId,
      aud: `${running.baseUrl}/auth`,
      jti: randomUUID(),
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'a', ...header })
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey, { crit: { [rule]: true } });
  const get = async (assertion: string) => {
    const { status, body } = await tokenRequest(running, client, {
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    });
    return [status, body.error];
  };
  const assertion = await assert();
  expect(await get(assertion)).toEqual([200, undefined]);
  expect(await get(assertion)).toEqual([401, 'invalid_client']);
  await purgeAhead(running, 120_000);
  expect(await get(assertion)).toEqual([401, 'invalid_client']);
  expect(await get(await assert({ aud: 'https://other.example.com' }))).toEqual([401, 'invalid_client']);
  expect(await get(await assert({ iss: 'cli_other' }))).toEqual([401, 'invalid_client']);
  const extended = await assert({}, { crit: [rule], [rule]: 'unknown' });
  expect(await get(extended)).toEqual([401, 'invalid_client']);
});

test('after a rotation the old secret works during the overlap only', async () => {
  const client = await createClient(running, { scopes: ['status:read'] });
  const rotate = async (overlap_s: number) => {
    const response = await fetch(`${running.baseUrl}/oauth-clients/${client.clientId}/rotate-secret`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${running.tenant.credential}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ overlap_s }),
    });
    return String(((await response.json()) as { client_secret?: string }).client_secret);
  };
  const statusWith = async (secret: string) =>
    (await tokenRequest(running, { ...client, secret }, { grant_type: 'client_credentials' })).status;
  const second = await rotate(600);
  expect([await statusWith(client.secret), await statusWith(second)]).toEqual([200, 200]);
  const third = await rotate(0);
  const statuses = [client.secret, second, third].map(statusWith);
  expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
});

test('an authorization request can be pushed, and then has no parameters in its address', async () => {
  const person = await createPerson(running);
  const client = await createClient(running, APP);
  const { address, verifier } = authorizationUrl(running, client, { scope: 'status:read' });
  const fields = Object.fromEntries(address.searchParams);
  const pushed = await tokenRequest(running, client, fields, { endpoint: '/par' });
  expect(pushed).toMatchObject({
    status: 201,
    body: { request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:/), expires_in: 60 },
  });
  const wrong = { ...client, secret: 'wrong' };
  expect((await tokenRequest(running, wrong, fields, { endpoint: '/par' })).status).toBe(401);

  address.search = String(
    new URLSearchParams({ client_id: client.clientId, request_uri: String(pushed.body.request_uri) }),
  );
  const browser = new FormBrowser(running.baseUrl);
  await signIn(browser, person);
  const { searchParams } = await authorize(browser, address);
  const form = {
    grant_type: 'authorization_code',
    code: searchParams.get('code') ?? '',
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  };
  expect((await tokenRequest(running, client, form)).status).toBe(200);
});

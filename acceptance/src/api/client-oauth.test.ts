import {
  clientCredentials,
  createClient,
  type Fetch,
  type NewOAuthClient,
  type OAuthTokens,
  type RefreshTokensOptions,
  refreshTokens,
  type TokenSource,
} from '@tps/client';
import { authorize, FormBrowser, signIn } from '@tps/testing/browser';
import { useFixture } from '@tps/testing/fixture';
import { createPerson, testFetch, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const admin = useFixture(async () =>
  createClient({ baseUrl: service.baseUrl, credential: service.tenant.credential }),
);
const person = useFixture(async () => {
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, await createPerson(service, { role: 'analyst' }));
  return { browser };
});
const authUrl = () => `${service.baseUrl}/auth`;
const connect = (credential: TokenSource) => createClient({ baseUrl: service.baseUrl, credential });

test.each(['client_secret_post', 'client_secret_basic'] as const)(
  'clientCredentials gets tokens with %s, also after the client has lost a scope',
  async (authMethod) => {
    const made = await admin.oauthClients.create({
      name: 'machine',
      grant_types: ['client_credentials'],
      scopes: ['status:read', 'events:read'],
    });
    const { client_id: clientId, client_secret: clientSecret = '' } = made;
    const client = connect(clientCredentials({ authUrl: authUrl(), clientId, clientSecret, authMethod }));
    expect((await client.status.get()).tenant_id).toBe(service.tenant.tenantId);
    await admin.oauthClients.update(clientId, { scopes: ['status:read'] });
    // The first token has ended; the client gets another one by itself.
    expect((await client.status.get()).tenant_id).toBe(service.tenant.tenantId);
    await expect(client.events.list().page()).rejects.toMatchObject({ code: 'insufficient_scope' });
    await admin.oauthClients.remove(clientId);
    await expect(client.status.get()).rejects.toMatchObject({ code: 'invalid_client' });
  },
);

/** Creates a public client that a person has allowed, and its source of tokens. */
async function allowApp(
  more: Partial<NewOAuthClient> = {},
  options: Partial<RefreshTokensOptions> = {},
): Promise<{ source: TokenSource; saved: OAuthTokens[] }> {
  const redirect = 'http://127.0.0.1/callback';
  const { client_id: clientId } = await admin.oauthClients.create({
    name: 'app',
    redirect_uris: [redirect],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    scopes: ['status:read'],
    ...more,
  });
  const verifier = 'a'.repeat(43);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const address = new URL(`${authUrl()}/authorize`);
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    scope: 'status:read',
    code_challenge: Buffer.from(digest).toString('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const code = (await authorize(person.browser, address)).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier };
  const body = new URLSearchParams({ ...form, client_id: clientId });
  const answer = await testFetch(`${authUrl()}/token`, { method: 'POST', body });
  const issued = (await answer.json()) as { access_token: string; refresh_token: string };
  const saved: OAuthTokens[] = [];
  const source = refreshTokens({
    authUrl: authUrl(),
    clientId,
    tokens: { accessToken: issued.access_token, refreshToken: issued.refresh_token, expiresAtMs: 0 },
    save: (tokens) => void saved.push(tokens),
    retry: { baseDelayMs: 0 },
    ...options,
  });
  return { source, saved };
}

/** Loses the answer of the first request that reaches the service. */
function losingFirst(): Fetch {
  let isLost = false;
  return async (url, init) => {
    const response = await testFetch(url, init);
    if (isLost) return response;
    isLost = true;
    await response.text();
    throw new TypeError('the answer was lost');
  };
}

test('refreshTokens spends each refresh token once, also for simultaneous calls', async () => {
  const { source, saved } = await allowApp();
  const client = connect(source);
  await Promise.all(Array.from({ length: 5 }, () => client.status.get()));
  expect(saved).toHaveLength(1);
  source.reject(saved[0]?.accessToken ?? '');
  await client.status.get();
  expect(new Set(saved.map(({ refreshToken }) => refreshToken)).size).toBe(2);
});

test('a lost answer is repeated within the grace of the client', async () => {
  const { source, saved } = await allowApp({ refresh_grace_s: 30 }, { fetch: losingFirst() });
  expect((await connect(source).status.get()).tenant_id).toBe(service.tenant.tenantId);
  expect(saved).toHaveLength(1);
});

test('without a grace, a lost answer ends the grant, and the call says so', async () => {
  const { source, saved } = await allowApp({}, { fetch: losingFirst() });
  await expect(connect(source).status.get()).rejects.toMatchObject({ code: 'invalid_grant' });
  expect(saved).toEqual([]);
});

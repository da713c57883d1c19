import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { generateCodeVerifier, OAuth2Client } from '@badgateway/oauth2-client';
import { authorize } from '@tps/testing/browser';
import { testFetch } from '@tps/testing/service';
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';
import { describe, expect, test } from 'vitest';
import {
  CALLBACK,
  createClient,
  createVerifier,
  issuerOf,
  signInMember,
  statusWith,
  useOAuthService,
} from './oauth-service.ts';

// Clients by other authors than the authorization server's.
const service = useOAuthService();

describe.each([
  { method: 'client_secret_basic' as const, authorizationMethod: 'header' as const },
  { method: 'client_secret_post' as const, authorizationMethod: 'body' as const },
])('simple-oauth2 with $method', ({ method, authorizationMethod }) => {
  async function connect() {
    const { client_id, client_secret } = await createClient(service, { token_endpoint_auth_method: method });
    return {
      client: { id: client_id, secret: client_secret },
      auth: {
        tokenHost: new URL(issuerOf(service)).origin,
        tokenPath: '/auth/token',
        revokePath: '/auth/revoke',
      },
      options: { authorizationMethod },
      // By default, the library refuses the empty body of RFC 7009, section 2.2.
      http: { json: true },
    };
  }

  test('completes the code grant, refreshes and revokes', async () => {
    const { auth, ...settings } = await connect();
    const client = new AuthorizationCode({
      ...settings,
      auth: { ...auth, authorizePath: '/auth/authorize' },
    });
    const { verifier, challenge } = createVerifier();
    const request = { redirect_uri: CALLBACK, scope: 'openid status:read', state: 'its state' };
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    const { browser } = await signInMember(service);
    const callback = await authorize(browser, client.authorizeURL({ ...request, ...pkce }));
    expect(callback.searchParams.get('state')).toBe('its state');
    const code = callback.searchParams.get('code') ?? '';
    const exchange = { code, redirect_uri: CALLBACK, code_verifier: verifier };
    const token = await client.getToken(exchange as Parameters<typeof client.getToken>[0]);
    const refreshed = await token.refresh();
    expect(await statusWith(service, String(refreshed.token.access_token))).toBe(200);
    await refreshed.revokeAll();
    expect(await statusWith(service, String(refreshed.token.access_token))).toBe(401);
  });

  test('gets a token for itself', async () => {
    const client = new ClientCredentials(await connect());
    const { token, expired } = await client.getToken({ scope: 'status:read' }).then((answer) => ({
      token: answer.token,
      expired: answer.expired(),
    }));
    expect({ expired, scope: token.scope }).toEqual({ expired: false, scope: 'status:read' });
    expect(await statusWith(service, String(token.access_token))).toBe(200);
  });
});

describe.each(['client_secret_basic', 'client_secret_post'] as const)(
  '@badgateway/oauth2-client with %s',
  (method) => {
    test('completes both grants, refreshes, introspects and revokes', async () => {
      const { client_id, client_secret } = await createClient(service, {
        token_endpoint_auth_method: method,
      });
      const client = new OAuth2Client({
        server: issuerOf(service),
        discoveryEndpoint: `${issuerOf(service)}/.well-known/openid-configuration`,
        clientId: client_id,
        clientSecret: client_secret,
        authenticationMethod: method,
        fetch: testFetch,
      });
      const own = await client.clientCredentials({ scope: ['status:read'] });
      expect(await statusWith(service, own.accessToken)).toBe(200);

      const codeVerifier = await generateCodeVerifier();
      const known = { redirectUri: CALLBACK, state: 'its state', codeVerifier };
      const scope = ['openid', 'status:read'];
      const url = await client.authorizationCode.getAuthorizeUri({ ...known, scope });
      const { browser } = await signInMember(service);
      const callback = await authorize(browser, url);
      const token = await client.authorizationCode.getTokenFromCodeRedirect(callback, known);
      const refreshed = await client.refreshToken(token);
      expect(await client.introspect(refreshed)).toMatchObject({ active: true, client_id });
      await client.revoke(refreshed, 'refresh_token');
      expect(await statusWith(service, refreshed.accessToken)).toBe(401);
    });
  },
);

const PYTHON = '/usr/bin/python3';
/** Why Authlib cannot be tested here; undefined where it can. */
const authlibProblem = findAuthlibProblem();

function findAuthlibProblem(): string | undefined {
  const { status, stderr } = spawnSync(PYTHON, ['-c', 'import authlib.integrations.requests_client'], {
    encoding: 'utf8',
  });
  if (status === 0) return undefined;
  const reason = stderr?.trim().split('\n').at(-1) ?? `no ${PYTHON}`;
  return `Authlib is not installed: ${reason} (Debian: apt-get install python3-authlib python3-requests)`;
}

describe('Authlib', () => {
  test.for(['client_secret_basic', 'client_secret_post'] as const)(
    'completes both grants, refreshes, introspects and revokes with %s',
    async (method, { skip }) => {
      if (authlibProblem !== undefined) skip(authlibProblem);
      const { client_id, client_secret } = await createClient(service, {
        token_endpoint_auth_method: method,
      });
      const { browser } = await signInMember(service);
      const python = spawn(PYTHON, [join(import.meta.dirname, 'authlib-client.py')], {
        // By default, the library refuses http.
        env: { AUTHLIB_INSECURE_TRANSPORT: '1' },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      let problems = '';
      python.stderr.on('data', (text: Buffer) => {
        problems += text.toString();
      });
      const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
      const tell = (line: object) => python.stdin.write(`${JSON.stringify(line)}\n`);
      const hear = async (): Promise<Record<string, unknown>> => {
        const { value, done } = await lines.next();
        if (done) throw new Error(problems);
        return JSON.parse(value) as Record<string, unknown>;
      };
      const issuer = issuerOf(service);
      tell({ issuer, client_id, client_secret, method, redirect_uri: CALLBACK, api: service.baseUrl });
      const { url } = await hear();
      tell({ callback: (await authorize(browser, String(url))).href });
      const { access_token, tokens, ...outcome } = await hear();
      expect(outcome).toEqual({ credentials: 'Bearer', introspection: true, status: 200, revoked: 200 });
      expect(tokens).toEqual(expect.arrayContaining(['access_token', 'id_token', 'refresh_token']));
      expect(await statusWith(service, String(access_token))).toBe(401);
    },
  );
});

import { FormBrowser, type HtmlPage } from '@tps/testing/browser';
import { type TestPerson, testFetch } from '@tps/testing/service';
import { createLocalJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  authorizationUrl,
  CALLBACK,
  type ClientProof,
  createClient,
  createVerifier,
  getCode,
  issuerOf,
  type Parameters,
  proofAskedBy,
  redeem,
  refusalOf,
  sendForm,
  signInMember,
  statusWith,
  type Tokens,
  useOAuthService,
} from './oauth-service.ts';

// What the "Basic OP" plan of the OpenID Foundation asks of a server: see the README beside this file.
const service = useOAuthService();
let client: ClientProof;
let person: TestPerson;
let browser: FormBrowser;

beforeAll(async () => {
  client = await createClient(service);
  ({ person, browser } = await signInMember(service));
});

/** Follows an authorization request as the person, and notes what they were asked. */
async function walk(url: URL, as = browser): Promise<{ callback: URL; asked: string[]; login?: HtmlPage }> {
  const asked: string[] = [];
  let page = await as.open(url);
  let login: HtmlPage | undefined;
  while (!page.leftTo) {
    const proof = proofAskedBy(page);
    asked.push(proof ?? 'consent');
    if (proof) login = page;
    const { email, password } = person;
    const values = proof === 'login' ? { email, password } : proof ? { password } : {};
    if (asked.length > 4) throw new Error(`${page.status} ${page.title}: ${page.text}`);
    page = await as.submit(page, values, proof ? {} : { button: 'Allow' });
  }
  return { callback: page.leftTo, asked, ...(login && { login }) };
}

const authorizeWith = (parameters: Parameters, as = browser) =>
  walk(authorizationUrl(service, client.client_id, parameters), as);

/** Returns the tokens that a request leads to. */
async function tokensFor(parameters: Parameters): Promise<Tokens> {
  const { callback } = await authorizeWith(parameters);
  return redeem(service, client, { code: callback.searchParams.get('code') ?? callback.search });
}

/** Checks an ID token with the published keys. */
async function verify(idToken: string): Promise<JWTPayload & Record<string, unknown>> {
  const keys = await testFetch(`${issuerOf(service)}/jwks`).then((answer) => answer.json());
  const expected = { issuer: issuerOf(service), audience: client.client_id };
  return (await jwtVerify(idToken, createLocalJWKSet(keys as never), expected)).payload;
}

async function userInfo(token: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const headers = init.body ? {} : { authorization: `Bearer ${token}` };
  const answer = await testFetch(`${issuerOf(service)}/userinfo`, { headers, ...init });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

/** Lets the last proof of who the person is be older than it is. */
async function ageSession(seconds: number): Promise<void> {
  const { database } = service.service;
  await database.transaction(async (tx) => {
    await tx.db
      .updateTable('account_sessions')
      .set(({ eb }) => ({ authenticated_at: eb('authenticated_at', '-', seconds * 1000) }))
      .where('account_id', '=', person.accountId)
      .execute();
  });
}

describe('response and ID token', () => {
  test('a code gives an access token, a refresh token and an ID token about the person', async () => {
    const { callback } = await authorizeWith({ state: 'its state', nonce: 'its nonce', max_age: '3600' });
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43,}$/),
      state: 'its state',
      iss: issuerOf(service),
    });
    const tokens = await redeem(service, client, { code: callback.searchParams.get('code') ?? '' });
    const claims = await verify(tokens.id_token);
    expect(claims).toMatchObject({
      iss: issuerOf(service),
      aud: client.client_id,
      sub: person.accountId,
      nonce: 'its nonce',
      auth_time: expect.any(Number),
    });
    expect(Number(claims.exp)).toBeGreaterThan(Number(claims.iat));
    // They were not asked for.
    expect(claims).not.toHaveProperty('name');
    expect(claims).not.toHaveProperty('email');
    expect((await userInfo(tokens.access_token)).sub).toBe(claims.sub);
  });

  test('a request without response_type is refused, at the address of the client', async () => {
    const { callback } = await authorizeWith({ response_type: undefined, state: 's' });
    expect(Object.fromEntries(callback.searchParams)).toMatchObject({
      error: 'invalid_request',
      state: 's',
      iss: issuerOf(service),
    });
  });

  test('an ID token names the published key that signed it, and an unsigned one is never offered', async () => {
    const { id_token } = await tokensFor({});
    const { alg, kid } = decodeProtectedHeader(id_token);
    const read = async (path: string) => {
      const answer = await testFetch(`${issuerOf(service)}${path}`);
      return (await answer.json()) as Record<string, unknown>;
    };
    const { keys } = (await read('/jwks')) as { keys: { kid: string }[] };
    expect(keys.map((key) => key.kid)).toContain(kid);
    // Nothing but the public members.
    for (const key of keys) expect(Object.keys(key)).not.toEqual(expect.arrayContaining(['d']));
    const metadata = await read('/.well-known/openid-configuration');
    expect(metadata.id_token_signing_alg_values_supported).toContain(alg);
    expect(metadata.id_token_signing_alg_values_supported).not.toContain('none');
  });

  test('a request without a nonce gives an ID token without one', async () => {
    expect(await verify((await tokensFor({})).id_token)).not.toHaveProperty('nonce');
  });

  test('an authorization request may be a form (POST)', async () => {
    const url = authorizationUrl(service, client.client_id, { state: 'posted' });
    const page = await browser.post(url.pathname, url.searchParams, {
      origin: 'http://client.example',
      'sec-fetch-site': 'cross-site',
    });
    const callback = page.leftTo ?? (await browser.submit(page, {}, { button: 'Allow' })).leftTo;
    expect(callback?.searchParams.get('state')).toBe('posted');
    expect(callback?.searchParams.has('code')).toBe(true);
  });
});

describe('userinfo and scopes', () => {
  test('userinfo responds to GET, to POST, and to a token in a form', async () => {
    const { access_token } = await tokensFor({});
    const answer = { sub: person.accountId };
    expect(await userInfo(access_token)).toEqual(answer);
    expect(await userInfo(access_token, { method: 'POST' })).toEqual(answer);
    const body = new URLSearchParams({ access_token });
    expect(await userInfo(access_token, { method: 'POST', body })).toEqual(answer);
  });

  test.each([
    { scope: 'openid profile', claims: ['name', 'sub'] },
    { scope: 'openid email', claims: ['email', 'email_verified', 'sub'] },
    { scope: 'openid profile email', claims: ['email', 'email_verified', 'name', 'sub'] },
    { scope: 'email openid', claims: ['email', 'email_verified', 'sub'] },
  ])('the scope "$scope" gives $claims at the userinfo endpoint', async ({ scope, claims }) => {
    const tokens = await tokensFor({ scope });
    const read = await userInfo(tokens.access_token);
    expect(Object.keys(read).toSorted()).toEqual(claims);
    const { accountId: sub, email, name } = person;
    expect({ sub, email, name, email_verified: true }).toMatchObject(read);
    // So that a client whose access token is for the API knows them as well.
    expect(await verify(tokens.id_token)).toMatchObject(read);
  });

  test.each(['openid address', 'openid phone', 'openid unknown'])(
    'the scope "%s" is refused: the service does not have it',
    async (scope) => {
      const { callback } = await authorizeWith({ scope });
      expect(callback.searchParams.get('error')).toBe('invalid_scope');
    },
  );

  test('an essential claim of the claims parameter does not make the request fail', async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
    const { access_token } = await tokensFor({ scope: 'openid profile', claims });
    expect(await userInfo(access_token)).toMatchObject({ name: person.name });
  });
});

describe('prompts and age', () => {
  test('prompt=none without a session is login_required, and shows no page', async () => {
    const { callback, asked } = await authorizeWith(
      { prompt: 'none', state: 's' },
      new FormBrowser(service.baseUrl),
    );
    expect(asked).toEqual([]);
    expect(Object.fromEntries(callback.searchParams)).toMatchObject({ error: 'login_required', state: 's' });
    expect(callback.searchParams.has('code')).toBe(false);
  });

  test('prompt=none with a session and consent gives a code for the same person at the same time', async () => {
    const first = await verify((await tokensFor({ max_age: '3600' })).id_token);
    const { callback, asked } = await authorizeWith({ prompt: 'none', max_age: '3600' });
    expect(asked).toEqual([]);
    const code = callback.searchParams.get('code') ?? callback.search;
    const second = await verify((await redeem(service, client, { code })).id_token);
    expect(second).toMatchObject({ sub: first.sub, auth_time: first.auth_time });
  });

  test('prompt=none for scopes that were not allowed yet is consent_required', async () => {
    const other = await createClient(service);
    const url = authorizationUrl(service, other.client_id, { prompt: 'none' });
    const { callback } = await walk(url);
    expect(callback.searchParams.get('error')).toMatch(/^(?:consent|interaction)_required$/);
  });

  test('prompt=login asks who the person is again, and the ID token says when', async () => {
    const before = await verify((await tokensFor({ max_age: '3600' })).id_token);
    await ageSession(100);
    const { callback, asked } = await authorizeWith({ prompt: 'login', max_age: '3600' });
    expect(asked).toContain('confirm');
    const code = callback.searchParams.get('code') ?? callback.search;
    const after = await verify((await redeem(service, client, { code })).id_token);
    expect(Number(after.auth_time)).toBeGreaterThanOrEqual(Number(before.auth_time));
  });

  test('prompt=consent asks for consent again', async () => {
    await tokensFor({});
    expect((await authorizeWith({})).asked).toEqual([]);
    expect((await authorizeWith({ prompt: 'consent' })).asked).toEqual(['consent']);
  });

  test('max_age asks a person again whose last proof of identity is older, and no one else', async () => {
    await tokensFor({});
    await ageSession(100);
    expect((await authorizeWith({ max_age: '10000' })).asked).toEqual([]);
    const { callback, asked } = await authorizeWith({ max_age: '1' });
    expect(asked).toEqual(['confirm']);
    const code = callback.searchParams.get('code') ?? callback.search;
    const claims = await verify((await redeem(service, client, { code })).id_token);
    expect(Number(claims.iat) - Number(claims.auth_time)).toBeLessThan(100);
  });
});

describe('hints and parameters', () => {
  test('id_token_hint with prompt=none gives a code for that person, and for no other', async () => {
    const { id_token } = await tokensFor({});
    const same = await authorizeWith({ prompt: 'none', id_token_hint: id_token });
    expect(same.callback.searchParams.has('code')).toBe(true);
    const other = await signInMember(service);
    const { callback } = await authorizeWith({ prompt: 'none', id_token_hint: id_token }, other.browser);
    expect(callback.searchParams.get('error')).toBe('login_required');
  });

  test('login_hint fills in the address on the sign-in page, and is shown as text only', async () => {
    const hint = `"><b>${person.email}`;
    const url = authorizationUrl(service, client.client_id, { login_hint: hint });
    const { login, asked } = await walk(url, new FormBrowser(service.baseUrl));
    expect(asked[0]).toBe('login');
    expect(login?.html).not.toContain('<b>');
  });

  test.each([
    { display: 'page' },
    { display: 'popup' },
    { ui_locales: 'se de' },
    { claims_locales: 'se' },
    { acr_values: '1 2' },
    { extra: 'foobar' },
  ])('the parameter %o does not make the request fail', async (parameters) => {
    const { callback } = await authorizeWith(parameters);
    expect(callback.searchParams.get('error')).toBeNull();
    expect(callback.searchParams.has('code')).toBe(true);
  });

  test.each([
    { name: 'request', error: 'request_not_supported' },
    { name: 'request_uri', error: 'request_uri_not_supported' },
  ])('a request object by $name is refused: $error', async ({ name, error }) => {
    const object = new UnsecuredJWT({ redirect_uri: 'https://evil.example/' }).encode();
    const value = name === 'request' ? object : 'https://client.example/request.jwt';
    const { callback } = await authorizeWith({ [name]: value, state: 's' });
    expect(callback.origin).toBe(new URL(CALLBACK).origin);
    expect(callback.searchParams.get('error')).toBe(error);
  });
});

describe('codes, clients and refresh', () => {
  test('a code works once; its second use ends the tokens of the first', async () => {
    const code = await getCode(service, {
      browser,
      clientId: client.client_id,
      parameters: { scope: 'openid status:read' },
    });
    const tokens = await redeem(service, client, { code });
    expect(await statusWith(service, tokens.access_token)).toBe(200);
    const again = { as: client, grant_type: 'authorization_code', redirect_uri: CALLBACK, code };
    expect(refusalOf(await sendForm(service, '/token', again))).toBe('400 invalid_grant');
    expect(await statusWith(service, tokens.access_token)).toBe(401);
    const refresh = { as: client, grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect(refusalOf(await sendForm(service, '/token', refresh))).toBe('400 invalid_grant');
  });

  test('a redirect URI that is not registered gives an error page, and leads nowhere', async () => {
    const url = authorizationUrl(service, client.client_id, { redirect_uri: `${CALLBACK}/other` });
    const page = await browser.open(url);
    expect(page).toMatchObject({ status: 400, leftTo: undefined });
    expect(page.text).toContain('redirect_uri');
  });

  test('client_secret_post is accepted from a client that is registered for it', async () => {
    const poster = await createClient(service, { token_endpoint_auth_method: 'client_secret_post' });
    const code = await getCode(service, { browser, clientId: poster.client_id });
    const tokens = await redeem(service, { ...poster, post: true }, { code });
    expect(tokens.id_token).toBeDefined();
  });

  test('a refresh token gives new tokens for the same person, and other clients cannot use it', async () => {
    const first = await tokensFor({ scope: 'openid status:read' });
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
    const other = await createClient(service);
    expect(refusalOf(await sendForm(service, '/token', { as: other, ...refresh }))).toBe('400 invalid_grant');
    const { body } = await sendForm(service, '/token', { as: client, ...refresh });
    const second = body as unknown as Tokens;
    expect(second.access_token).not.toBe(first.access_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    const [before, after] = [await verify(first.id_token), await verify(second.id_token)];
    expect(after).toMatchObject({ sub: before.sub, iss: before.iss, aud: before.aud });
    expect(await statusWith(service, second.access_token)).toBe(200);
  });

  test('a confidential client may use PKCE as well', async () => {
    const { verifier, challenge } = createVerifier();
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    const code = await getCode(service, { browser, clientId: client.client_id, parameters: pkce });
    const tokens = await redeem(service, client, { code, code_verifier: verifier });
    expect(tokens.id_token).toBeDefined();
  });
});

import { authorize, type FormBrowser } from '@tps/testing/browser';
import { createPerson, type TestTenant } from '@tps/testing/service';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  authorizationUrl,
  CALLBACK,
  type ClientProof,
  createClient,
  createCodeClient,
  createVerifier,
  DEVICE_CODE,
  getCode,
  issuerOf,
  redeem,
  refusalOf,
  sendForm,
  signInMember,
  statusWith,
  useOAuthService,
} from './oauth-service.ts';

const service = useOAuthService();
const AUTHORIZATION_CODE = { grant_type: 'authorization_code', redirect_uri: CALLBACK };

let other: TestTenant;
let browser: FormBrowser;
let own: ClientProof;
/** Another client of the same tenant, and one of another tenant. */
let neighbour: ClientProof;
let foreign: ClientProof;

beforeAll(async () => {
  other = await service.createTenant();
  own = await createClient(service);
  neighbour = await createClient(service);
  foreign = await createClient(service, { credential: other.credential });
  ({ browser } = await signInMember(service));
});

const others = [
  { name: 'another client of the tenant', as: () => neighbour },
  { name: 'a client of another tenant', as: () => foreign },
];

async function signedIn() {
  const parameters = { scope: 'openid offline_access status:read', prompt: 'consent' };
  const code = await getCode(service, { browser, clientId: own.client_id, parameters });
  return redeem(service, own, { code });
}

describe.each(others)('$name', ({ as }) => {
  test('cannot redeem a code, and the code is of no use to it afterwards', async () => {
    const code = await getCode(service, { browser, clientId: own.client_id });
    const attempt = { ...AUTHORIZATION_CODE, as: as(), code };
    expect(refusalOf(await sendForm(service, '/token', attempt))).toBe('400 invalid_grant');
    expect(refusalOf(await sendForm(service, '/token', attempt))).toBe('400 invalid_grant');
  });

  test('cannot use a refresh token', async () => {
    const { refresh_token } = await signedIn();
    const attempt = { as: as(), grant_type: 'refresh_token', refresh_token };
    expect(refusalOf(await sendForm(service, '/token', attempt))).toBe('400 invalid_grant');
    const { status } = await sendForm(service, '/token', { ...attempt, as: own });
    expect(status).toBe(200);
  });

  test('cannot revoke tokens', async () => {
    const { access_token, refresh_token } = await signedIn();
    for (const token of [access_token, refresh_token]) {
      const { body } = await sendForm(service, '/revoke', { as: as(), token });
      expect(body.error ?? 'nothing').toMatch(/^(?:nothing|invalid_request|invalid_client)$/);
    }
    expect(await statusWith(service, access_token)).toBe(200);
    const refresh = { as: own, grant_type: 'refresh_token', refresh_token };
    expect((await sendForm(service, '/token', refresh)).status).toBe(200);
  });
});

test('a client of another tenant learns nothing from introspection', async () => {
  const { access_token, refresh_token } = await signedIn();
  for (const token of [access_token, refresh_token]) {
    const { body } = await sendForm(service, '/introspect', { as: foreign, token });
    expect(body).toEqual({ active: false });
  }
  expect((await sendForm(service, '/introspect', { as: own, token: access_token })).body.active).toBe(true);
});

test('a token of one tenant reads nothing of another', async () => {
  const { body } = await sendForm(service, '/token', { as: foreign, grant_type: 'client_credentials' });
  const credential = String(body.access_token);
  const path = `/status?tenant_id=${service.tenant.tenantId}`;
  expect((await service.client.send('GET', path, { credential })).status).toBe(403);
  expect((await service.client.send('GET', '/status', { credential })).body).not.toMatchObject({
    tenant_id: service.tenant.tenantId,
  });
});

test('a person cannot use a client of a tenant to which they do not belong', async () => {
  const url = authorizationUrl(service, foreign.client_id, { scope: 'openid status:read' });
  const page = await browser.open(url);
  expect(page).toMatchObject({ status: 403, leftTo: undefined });
  const { leftTo } = await browser.submit(page);
  expect(leftTo?.searchParams.get('error')).toBe('access_denied');
});

test('a person who belongs to no tenant gets nothing', async () => {
  const stranger = await createPerson(service, { tenantId: null });
  const { browser: theirs } = await signInMember(service, other);
  expect(stranger.accountId).toBeDefined();
  const page = await theirs.open(authorizationUrl(service, own.client_id, { scope: 'status:read' }));
  expect(page).toMatchObject({ status: 403, leftTo: undefined });
});

test('a device code works for no other client', async () => {
  const [first, second] = [await createCodeClient(service), await createCodeClient(service)];
  const started = await sendForm(service, '/device/code', {
    client_id: first.client_id,
    scope: 'status:read',
  });
  const attempt = { grant_type: DEVICE_CODE, device_code: started.body.device_code };
  const answer = await sendForm(service, '/token', { ...attempt, client_id: second.client_id });
  expect(refusalOf(answer)).toBe('400 invalid_grant');
  const waiting = await sendForm(service, '/token', { ...attempt, client_id: first.client_id });
  expect(refusalOf(waiting)).toBe('400 authorization_pending');
});

test('each kind of token works only as what it is', async () => {
  const code = await getCode(service, { browser, clientId: own.client_id });
  const { access_token, refresh_token, id_token } = await signedIn();
  for (const token of [code, refresh_token, id_token]) expect(await statusWith(service, token)).toBe(401);
  for (const token of [access_token, id_token, code]) {
    const attempt = { as: own, grant_type: 'refresh_token', refresh_token: token };
    expect(refusalOf(await sendForm(service, '/token', attempt))).toBe('400 invalid_grant');
  }
  for (const token of [access_token, id_token, refresh_token]) {
    const attempt = { ...AUTHORIZATION_CODE, as: own, code: token };
    expect(refusalOf(await sendForm(service, '/token', attempt))).toBe('400 invalid_grant');
  }
  // A bearer token of the API is neither.
  const attempt = { as: own, grant_type: 'refresh_token', refresh_token: service.tenant.credential };
  expect(refusalOf(await sendForm(service, '/token', attempt))).toBe('400 invalid_grant');
});

test('every answer to an authorization request names the issuer, so that clients notice a mix-up', async () => {
  const clientId = own.client_id;
  const requests = [
    {},
    { prompt: 'none', scope: 'openid events:read' },
    { response_type: 'token' },
    { scope: 'openid', request: 'x' },
  ];
  for (const parameters of requests) {
    const callback = await authorize(
      browser,
      authorizationUrl(service, clientId, { state: 's', ...parameters }),
    );
    const answer = new URLSearchParams(callback.search || callback.hash.slice(1));
    expect(answer.get('iss'), callback.href).toBe(issuerOf(service));
    expect(answer.get('state'), callback.href).toBe('s');
  }
});

describe('PKCE', () => {
  const pkce = (challenge: string) => ({ code_challenge: challenge, code_challenge_method: 'S256' });

  test('a public client without a challenge, or with a plain one, is refused', async () => {
    const { client_id } = await createClient(service, {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
    });
    const { verifier } = createVerifier();
    for (const parameters of [
      {},
      { code_challenge: verifier, code_challenge_method: 'plain' },
      { code_challenge: verifier },
    ]) {
      const callback = await authorize(browser, authorizationUrl(service, client_id, parameters));
      expect(callback.searchParams.get('error'), callback.search).toBe('invalid_request');
    }
  });

  test.each([
    { name: 'no verifier', verifierOf: () => undefined },
    { name: 'the verifier of another request', verifierOf: () => createVerifier().verifier },
    { name: 'the challenge itself', verifierOf: (challenge: string) => challenge },
    { name: 'an empty verifier', verifierOf: () => '' },
  ])('a code that was asked for with a challenge is refused with $name', async ({ verifierOf }) => {
    const { challenge } = createVerifier();
    const code = await getCode(service, {
      browser,
      clientId: own.client_id,
      parameters: pkce(challenge),
    });
    const answer = await sendForm(service, '/token', {
      ...AUTHORIZATION_CODE,
      as: own,
      code,
      code_verifier: verifierOf(challenge),
    });
    expect(answer.status).toBe(400);
    expect(answer.body).not.toHaveProperty('access_token');
  });

  test('a verifier for a code that was asked for without a challenge is refused', async () => {
    const code = await getCode(service, { browser, clientId: own.client_id });
    const { verifier } = createVerifier();
    const attempt = { ...AUTHORIZATION_CODE, as: own, code, code_verifier: verifier };
    expect(refusalOf(await sendForm(service, '/token', attempt))).toBe('400 invalid_grant');
  });
});

test('a refresh token that is used twice ends the grant: newer tokens work no more', async () => {
  const first = await signedIn();
  const refresh = (token: unknown) =>
    sendForm(service, '/token', { as: own, grant_type: 'refresh_token', refresh_token: token });
  const { body: second } = await refresh(first.refresh_token);
  expect(await statusWith(service, String(second.access_token))).toBe(200);
  expect(refusalOf(await refresh(first.refresh_token))).toBe('400 invalid_grant');
  expect(refusalOf(await refresh(second.refresh_token))).toBe('400 invalid_grant');
  expect(await statusWith(service, String(second.access_token))).toBe(401);
  expect(await statusWith(service, first.access_token)).toBe(401);
});

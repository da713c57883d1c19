import { approveDevice, authorize } from '@tps/testing/browser';
import { testFetch } from '@tps/testing/service';
import * as oauth from 'oauth4webapi';
import { beforeAll, expect, test } from 'vitest';
import {
  CALLBACK,
  createClient,
  createCodeClient,
  issuerOf,
  signInMember,
  statusWith,
  useOAuthService,
} from './oauth-service.ts';

const service = useOAuthService();
/** By default, the library refuses http. */
const http = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: (url: string, init: object) => testFetch(url, init),
} as const;

const algorithms = ['oidc', 'oauth2'] as const;
let server: oauth.AuthorizationServer;

/** Reads the metadata as OpenID Connect or as RFC 8414 defines it. */
async function discover(algorithm: (typeof algorithms)[number]) {
  const issuer = new URL(issuerOf(service));
  const response = await oauth.discoveryRequest(issuer, { ...http, algorithm });
  return oauth.processDiscoveryResponse(issuer, response);
}

beforeAll(async () => {
  server = await discover('oidc');
});

test('OpenID Connect and RFC 8414 discover the same server and its features', async () => {
  const [openid, oauth2] = await Promise.all(algorithms.map(discover));
  expect(oauth2).toEqual(openid);
  expect(server).toMatchObject({
    issuer: issuerOf(service),
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
  expect(server.grant_types_supported?.toSorted()).toEqual([
    'authorization_code',
    'client_credentials',
    'refresh_token',
    'urn:ietf:params:oauth:grant-type:device_code',
  ]);
  expect(server.token_endpoint_auth_methods_supported?.toSorted()).toEqual([
    'client_secret_basic',
    'client_secret_post',
    'none',
    'private_key_jwt',
  ]);
});

test('oauth4webapi completes the code grant with PKCE, state, nonce, iss and a checked ID token', async () => {
  const { client_id, client_secret } = await createClient(service);
  const client: oauth.Client = { client_id };
  const proof = oauth.ClientSecretBasic(client_secret);
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const url = new URL(server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    client_id,
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'openid status:read',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    max_age: '3600',
    state,
    nonce,
  }).toString();
  const { browser } = await signInMember(service);
  const callback = oauth.validateAuthResponse(server, client, await authorize(browser, url), state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    proof,
    callback,
    CALLBACK,
    verifier,
    http,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    maxAge: 3600,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, response, http);
  expect(await statusWith(service, tokens.access_token)).toBe(200);

  const again = await oauth.refreshTokenGrantRequest(server, client, proof, tokens.refresh_token ?? '', http);
  const refreshed = await oauth.processRefreshTokenResponse(server, client, again);
  expect(await statusWith(service, refreshed.access_token)).toBe(200);
  const ended = await oauth.revocationRequest(server, client, proof, refreshed.refresh_token ?? '', http);
  await oauth.processRevocationResponse(ended);
  // Revoking a refresh token ends the grant, and with it the access token (RFC 7009, section 2.1).
  expect(await statusWith(service, refreshed.access_token)).toBe(401);
});

test('oauth4webapi gets a token for itself, and introspects it', async () => {
  const { client_id, client_secret } = await createClient(service, {
    token_endpoint_auth_method: 'client_secret_post',
  });
  const client: oauth.Client = { client_id };
  const proof = oauth.ClientSecretPost(client_secret);
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    proof,
    new URLSearchParams(),
    http,
  );
  const { access_token } = await oauth.processClientCredentialsResponse(server, client, response);
  const introspection = await oauth.introspectionRequest(server, client, proof, access_token, http);
  expect(await oauth.processIntrospectionResponse(server, client, introspection)).toMatchObject({
    active: true,
    client_id,
    scope: 'events:read status:read',
  });
});

test('oauth4webapi waits for the person who connects a device, and then gets tokens', async () => {
  const { client_id } = await createCodeClient(service);
  const client: oauth.Client = { client_id };
  const proof = oauth.None();
  const asked = await oauth.deviceAuthorizationRequest(server, client, proof, { scope: 'status:read' }, http);
  const started = await oauth.processDeviceAuthorizationResponse(server, client, asked);
  const poll = async () => {
    const answer = await oauth.deviceCodeGrantRequest(server, client, proof, started.device_code, http);
    return oauth.processDeviceCodeResponse(server, client, answer);
  };
  await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' });
  const { browser } = await signInMember(service);
  await approveDevice(browser, started.user_code);
  expect(await statusWith(service, (await poll()).access_token)).toBe(200);
  await expect(poll()).rejects.toMatchObject({ error: 'invalid_grant' });
});

import type { NewOAuthClient } from '@tps/contract';
import { approveDevice, authorize } from '@tps/testing/browser';
import { testFetch } from '@tps/testing/service';
import { exportJWK, generateKeyPair } from 'jose';
import * as openid from 'openid-client';
import { describe, expect, test } from 'vitest';
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

/** Discovers the service, as the client library does it, for a client that is created for the purpose. */
async function connect(
  wanted: Partial<NewOAuthClient> = {},
  proof: (secret: string) => openid.ClientAuth = openid.ClientSecretBasic,
): Promise<openid.Configuration> {
  const { client_id, client_secret } = await createClient(service, wanted);
  return discover(client_id, proof(client_secret));
}

function discover(clientId: string, proof: openid.ClientAuth): Promise<openid.Configuration> {
  const options = { execute: [openid.allowInsecureRequests], [openid.customFetch]: asFetch };
  return openid.discovery(new URL(issuerOf(service)), clientId, undefined, proof, options);
}

const asFetch: openid.CustomFetch = (url, init) => testFetch(url, init as RequestInit);

interface SignInOptions {
  readonly usePar?: boolean;
  readonly handle?: openid.DPoPHandle;
  readonly scope?: string;
}

const API_SCOPE = 'openid email profile offline_access status:read';

/** Follows the authorization code grant to its tokens, with every check that the library has. */
async function signInWith(
  config: openid.Configuration,
  { usePar = false, handle, scope = API_SCOPE }: SignInOptions = {},
) {
  const { browser, person } = await signInMember(service);
  const verifier = openid.randomPKCECodeVerifier();
  const [state, nonce] = [openid.randomState(), openid.randomNonce()];
  const parameters = {
    redirect_uri: CALLBACK,
    scope,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    prompt: 'consent',
    state,
    nonce,
  };
  const url = usePar
    ? await openid.buildAuthorizationUrlWithPAR(config, parameters)
    : openid.buildAuthorizationUrl(config, parameters);
  const callback = await authorize(browser, url);
  const checks = {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  };
  const options = handle && { DPoP: handle };
  const tokens = await openid.authorizationCodeGrant(config, callback, checks, undefined, options);
  return { tokens, person, browser };
}

function subjectOf(tokens: Pick<openid.TokenEndpointResponseHelpers, 'claims'>): string {
  const subject = tokens.claims()?.sub;
  if (subject === undefined) throw new Error('no ID token');
  return subject;
}

describe('openid-client', () => {
  test('completes the code grant: ID token, refresh, introspection, revocation', async () => {
    const config = await connect();
    openid.enableNonRepudiationChecks(config);
    const { tokens, person } = await signInWith(config);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(await statusWith(service, tokens.access_token)).toBe(200);
    expect(tokens.claims()).toMatchObject({ email: person.email, name: person.name });

    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(subjectOf(refreshed)).toBe(subjectOf(tokens));
    expect(await openid.tokenIntrospection(config, refreshed.access_token)).toMatchObject({
      active: true,
      client_id: config.clientMetadata().client_id,
      sub: subjectOf(tokens),
    });
    await openid.tokenRevocation(config, refreshed.access_token);
    expect(await openid.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false });
    expect(await statusWith(service, refreshed.access_token)).toBe(401);
  });

  test('reads who the person is at user info, with a token that is for nothing else', async () => {
    const config = await connect();
    const { tokens, person } = await signInWith(config, { scope: 'openid email profile' });
    const user = await openid.fetchUserInfo(config, tokens.access_token, subjectOf(tokens));
    expect(user).toEqual({
      sub: person.accountId,
      email_verified: true,
      email: person.email,
      name: person.name,
    });
    expect(await statusWith(service, tokens.access_token)).toBe(403);
  });

  test.each([
    { method: 'client_secret_basic' as const, proof: openid.ClientSecretBasic },
    { method: 'client_secret_post' as const, proof: openid.ClientSecretPost },
  ])('gets a token for itself with $method', async ({ method, proof }) => {
    const config = await connect({ token_endpoint_auth_method: method }, proof);
    const tokens = await openid.clientCredentialsGrant(config, { scope: 'status:read' });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'status:read' });
    expect(tokens.refresh_token).toBeUndefined();
    expect(await statusWith(service, tokens.access_token)).toBe(200);
  });

  test.each(['ES256', 'Ed25519', 'RS256', 'PS256'])('proves its identity with a key for %s', async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'first', alg, use: 'sig' } as const;
    const config = await connect(
      {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [jwk as never] },
        grant_types: ['client_credentials'],
        redirect_uris: [],
      },
      () => openid.PrivateKeyJwt({ key: privateKey, kid: 'first' }),
    );
    const { access_token } = await openid.clientCredentialsGrant(config, { scope: 'status:read' });
    expect(await statusWith(service, access_token)).toBe(200);
  });

  test('a public client without a secret signs a person in', async () => {
    const config = await connect(
      { token_endpoint_auth_method: 'none', grant_types: ['authorization_code', 'refresh_token'] },
      openid.None,
    );
    const { tokens } = await signInWith(config);
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(await statusWith(service, refreshed.access_token)).toBe(200);
  });

  test('pushes its authorization request (PAR)', async () => {
    const { tokens } = await signInWith(await connect(), { usePar: true });
    expect(await statusWith(service, tokens.access_token)).toBe(200);
  });

  test('binds its tokens to a key (DPoP), with which alone they work', async () => {
    const config = await connect();
    const handle = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair());
    const { tokens } = await signInWith(config, { handle });
    expect(tokens.token_type).toBe('dpop');
    const address = new URL(`${service.baseUrl}/status`);
    const send = (options?: openid.DPoPOptions) =>
      openid.fetchProtectedResource(config, tokens.access_token, address, 'GET', null, undefined, options);
    expect((await send({ DPoP: handle })).status).toBe(200);
    expect(await statusWith(service, tokens.access_token)).toBe(401);
    const other = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair());
    await expect(send({ DPoP: other })).rejects.toThrow();
    await expect(openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).resolves.toBeDefined();
  });

  test('connects a device by a code that a person enters', async () => {
    const { client_id } = await createCodeClient(service);
    const config = await discover(client_id, openid.None());
    const started = await openid.initiateDeviceAuthorization(config, { scope: 'status:read' });
    const { browser } = await signInMember(service);
    await approveDevice(browser, started.user_code);
    // The person has answered: there is nothing to wait for.
    const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...started, interval: 0 });
    expect(await statusWith(service, tokens.access_token)).toBe(200);
  });
});

import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { useTestService } from '@tps/testing/service';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createClient, purgeAhead, statusOf, tokenRequest } from './testing/oauth-requests.ts';

const running = useTestService({ env: { SERVICE_AUTH_DPOP: 'true' } });

type Key = Awaited<ReturnType<typeof createKey>>;

async function createKey(alg = 'ES256') {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  return { alg, privateKey, jwk: await exportJWK(publicKey) };
}

function prove(
  { alg, privateKey, jwk }: Key,
  claims: Readonly<Record<string, unknown>>,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  return new SignJWT({ jti: randomUUID(), iat, ...claims })
    .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk, ...header })
    .sign(privateKey, { crit: { 'urn:example:rule': true } });
}

async function getToken(key: Key): Promise<string> {
  const client = await createClient(running, { scopes: ['status:read'] });
  const proof = await prove(key, { htm: 'POST', htu: `${running.baseUrl}/auth/token` });
  const form = { grant_type: 'client_credentials' };
  const { body } = await tokenRequest(running, client, form, { headers: { dpop: proof } });
  expect(body.token_type).toBe('DPoP');
  return String(body.access_token);
}

const claimsFor = (token: string) => ({
  htm: 'GET',
  htu: `${running.baseUrl}/status`,
  ath: createHash('sha256').update(token).digest('base64url'),
});

const call = (token: string, proof: string) =>
  statusOf(running, token, { authorization: `DPoP ${token}`, dpop: proof });

test.each(['ES256', 'Ed25519', 'EdDSA', 'RS256', 'PS256'])(
  'a token that is bound to a key works with a proof (%s), once per proof',
  async (alg) => {
    const key = await createKey(alg);
    const token = await getToken(key);
    const proof = await prove(key, claimsFor(token));
    expect(await call(token, proof)).toBe(200);
    expect(await call(token, proof)).toBe(401);
    expect(await call(token, await prove(key, claimsFor(token)))).toBe(200);
  },
);

test('a token that is bound to a key is refused as a bearer token, also beside a valid proof', async () => {
  const key = await createKey();
  const token = await getToken(key);
  const dpop = await prove(key, claimsFor(token));
  expect(await statusOf(running, token)).toBe(401);
  expect(await statusOf(running, token, { dpop })).toBe(401);
  const asKey = await fetch(`${running.baseUrl}/status`, { headers: { 'x-api-key': token, dpop } });
  expect(asKey.status).toBe(401);
});

test('a bearer token is refused with the scheme DPoP', async () => {
  const key = await createKey();
  const token = running.tenant.credential;
  expect(await call(token, await prove(key, claimsFor(token)))).toBe(401);
});

test('a proof with a critical extension is refused, by the API and by the authorization server', async () => {
  const key = await createKey();
  const token = await getToken(key);
  const name = 'urn:example:rule';
  const extended = { crit: [name], [name]: 'unknown' };
  expect(await call(token, await prove(key, claimsFor(token), extended))).toBe(401);
  const client = await createClient(running, { scopes: ['status:read'] });
  const proof = await prove(key, { htm: 'POST', htu: `${running.baseUrl}/auth/token` }, extended);
  const form = { grant_type: 'client_credentials' };
  const { status, body } = await tokenRequest(running, client, form, { headers: { dpop: proof } });
  expect([status, body.error]).toEqual([400, 'invalid_dpop_proof']);
});

test('a proof of something else is refused', async () => {
  const key = await createKey();
  const token = await getToken(key);
  const right = claimsFor(token);
  const nowS = Math.floor(Date.now() / 1000);
  const other = await createKey();
  const proofs = [
    prove(other, right),
    prove({ ...other, jwk: key.jwk }, right),
    prove(key, { ...right, htm: 'POST' }),
    prove(key, { ...right, htu: `${running.baseUrl}/events` }),
    prove(key, { ...right, htu: 'https://evil.example.com/status' }),
    prove(key, { ...right, ath: createHash('sha256').update('another').digest('base64url') }),
    prove(key, { ...right, ath: undefined }),
    prove(key, { ...right, iat: nowS - 300 }),
    prove(key, { ...right, iat: nowS + 300 }),
    prove(key, { ...right, jti: undefined }),
    prove(key, right, { typ: 'JWT' }),
    prove(key, right, { alg: 'ES256', jwk: other.jwk }),
  ];
  for (const [index, proof] of (await Promise.all(proofs)).entries()) {
    expect([index, await call(token, proof)]).toEqual([index, 401]);
  }
  expect(await call(token, 'x')).toBe(401);
  const unsigned = (await prove(key, right)).split('.');
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'dpop+jwt', jwk: key.jwk })).toString(
    'base64url',
  );
  expect(await call(token, `${none}.${unsigned[1]}.`)).toBe(401);
  // The proof that all of these differ from.
  expect(await call(token, await prove(key, right))).toBe(200);
});

test('a proof whose address cannot be read is refused for a request target with a host', async () => {
  const key = await createKey();
  const token = await getToken(key);
  const dpop = await prove(key, { ...claimsFor(token), htu: 'x' });
  const headers = { authorization: `DPoP ${token}`, dpop };
  const sent = request(running.baseUrl, { path: 'http://evil.example.com/status', headers }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  expect(response.statusCode).toBe(401);
});

test('a proof for the token endpoint works once, however far ahead its time is', async () => {
  const client = await createClient(running, { scopes: ['status:read'] });
  const claims = { htm: 'POST', htu: `${running.baseUrl}/auth/token` };
  const proof = await prove(await createKey(), { ...claims, iat: Math.floor(Date.now() / 1000) + 290 });
  const use = () =>
    tokenRequest(running, client, { grant_type: 'client_credentials' }, { headers: { dpop: proof } });
  expect((await use()).status).toBe(200);
  // The library remembers a proof for 300 s, and accepts this one for 590 s.
  await purgeAhead(running, 580_000);
  expect((await use()).status).toBe(400);
});

test('a proof for the API works once, also after the upkeep of a node whose clock is ahead', async () => {
  const key = await createKey();
  const token = await getToken(key);
  const proof = await prove(key, claimsFor(token));
  expect(await call(token, proof)).toBe(200);
  await purgeAhead(running, 4 * 60_000);
  expect(await call(token, proof)).toBe(401);
});

test('introspection names the key, and the refusal names the algorithms', async () => {
  const key = await createKey();
  const client = await createClient(running, { scopes: ['status:read'] });
  const dpop = await prove(key, { htm: 'POST', htu: `${running.baseUrl}/auth/token` });
  const { body } = await tokenRequest(
    running,
    client,
    { grant_type: 'client_credentials' },
    { headers: { dpop } },
  );
  const token = String(body.access_token);
  const shown = await tokenRequest(running, client, { token }, { endpoint: '/introspect' });
  const jkt = await calculateJwkThumbprint(key.jwk);
  expect(shown.body).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt } });
  const refused = await fetch(`${running.baseUrl}/status`, { headers: { authorization: `DPoP ${token}` } });
  expect(refused.headers.get('www-authenticate')).toBe(
    'DPoP error="invalid_dpop_proof", algs="ES256 Ed25519 EdDSA RS256 PS256"',
  );
});

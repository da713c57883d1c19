import { randomUUID } from 'node:crypto';
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTHeaderParameters,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { createClient, issuerOf, refusalOf, sendForm, useOAuthService } from './oauth-service.ts';

const service = useOAuthService();

interface KeyClient {
  readonly clientId: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

let own: KeyClient;
let other: KeyClient;

beforeAll(async () => {
  own = await createKeyClient();
  other = await createKeyClient();
});

async function createKeyClient(): Promise<KeyClient> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
  const { client_id } = await createClient(service, {
    token_endpoint_auth_method: 'private_key_jwt',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    jwks: { keys: [jwk as never] },
  });
  return { clientId: client_id, privateKey, publicKey };
}

interface Change {
  readonly header?: Partial<JWTHeaderParameters>;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly key?: CryptoKey | Uint8Array;
}

/** Signs what a client proves its identity with (RFC 7523), with changes. */
function assertionOf({ clientId, privateKey }: KeyClient, { header, claims, key }: Change = {}) {
  const now = Math.floor(Date.now() / 1000);
  const usual = { iss: clientId, sub: clientId, aud: issuerOf(service), iat: now, exp: now + 60 };
  return new SignJWT({ ...usual, jti: randomUUID(), ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'key-1', ...header })
    .sign(key ?? privateKey);
}

async function outcomeOf(assertion: string, clientId?: string): Promise<string> {
  const answer = await sendForm(service, '/token', {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
    client_id: clientId,
  });
  return refusalOf(answer);
}

const GRANTED = '200 no error';
const REFUSED = '401 invalid_client';

test('an assertion with the registered key is accepted once', async () => {
  const assertion = await assertionOf(own);
  expect(await outcomeOf(assertion)).toBe(GRANTED);
  expect(await outcomeOf(assertion)).toBe(REFUSED);
});

test('an assertion without a signature is refused', async () => {
  const now = Math.floor(Date.now() / 1000);
  const { clientId } = own;
  const claims = { iss: clientId, sub: clientId, aud: issuerOf(service), jti: randomUUID(), exp: now + 60 };
  expect(await outcomeOf(new UnsecuredJWT(claims).encode())).toBe(REFUSED);
});

test('the public key is not accepted as a secret (HS256)', async () => {
  const pem = new TextEncoder().encode(await exportSPKI(own.publicKey));
  const jwk = new TextEncoder().encode(JSON.stringify(await exportJWK(own.publicKey)));
  for (const key of [pem, jwk]) {
    const assertion = await assertionOf(own, { header: { alg: 'HS256' }, key });
    expect(await outcomeOf(assertion)).toBe(REFUSED);
  }
});

test('a key that the assertion brings or points to is ignored', async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const headers = [{ jwk }, { jku: 'http://127.0.0.1:1/jwks' }, { x5u: 'http://127.0.0.1:1/x5u' }];
  for (const header of headers) {
    const assertion = await assertionOf(own, { header: header as never, key: privateKey });
    expect(await outcomeOf(assertion), JSON.stringify(header)).toBe(REFUSED);
  }
});

test.each([
  { name: 'the key of another client', change: () => ({ key: other.privateKey }) },
  { name: 'an unknown key id', change: () => ({ header: { kid: '../../etc/passwd' } }) },
  { name: 'another issuer', change: () => ({ claims: { iss: other.clientId } }) },
  { name: 'another subject', change: () => ({ claims: { sub: other.clientId } }) },
  { name: 'another audience', change: () => ({ claims: { aud: 'https://other.example' } }) },
  { name: 'an end in the past', change: () => ({ claims: { exp: 1 } }) },
  { name: 'no end', change: () => ({ claims: { exp: undefined } }) },
  { name: 'no id', change: () => ({ claims: { jti: undefined } }) },
  { name: 'a start in the future', change: () => ({ claims: { nbf: 4_000_000_000 } }) },
])('an assertion with $name is refused', async ({ change }) => {
  expect(await outcomeOf(await assertionOf(own, change() as Change))).toBe(REFUSED);
});

test('an assertion does not speak for the client that the form names', async () => {
  expect(await outcomeOf(await assertionOf(own), other.clientId)).toMatch(/^40[01] invalid_/);
});

test('a client that is registered with a secret or a key cannot leave it out, nor use the other', async () => {
  const grant = { grant_type: 'client_credentials' };
  const { client_id } = await createClient(service);
  expect(refusalOf(await sendForm(service, '/token', { ...grant, client_id }))).toBe(REFUSED);
  const keyed = { ...grant, client_id: own.clientId };
  expect(refusalOf(await sendForm(service, '/token', keyed))).toBe(REFUSED);
  const secret = { client_id: own.clientId, client_secret: 'secret' };
  for (const as of [secret, { ...secret, post: true }]) {
    expect(refusalOf(await sendForm(service, '/token', { ...grant, as }))).toBe(REFUSED);
  }
});

test('an unknown client and a wrong secret get the same answer', async () => {
  const { client_id } = await createClient(service);
  const ask = async (id: string) => {
    const as = { client_id: id, client_secret: 'svc_cs_wrong' };
    const { status, text, headers } = await sendForm(service, '/token', {
      as,
      grant_type: 'client_credentials',
    });
    return { status, text, challenge: headers.get('www-authenticate') };
  };
  const wrong = await ask(client_id);
  expect(wrong.status).toBe(401);
  expect(await ask('cli_06ays3w8jrv2k7d1m5q9x4t0zg')).toEqual(wrong);
});

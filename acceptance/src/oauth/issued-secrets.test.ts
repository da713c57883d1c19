import { createHash } from 'node:crypto';
import { TABLES, type Tables } from '@tps/server/store';
import { approveDevice } from '@tps/testing/browser';
import { testFetch } from '@tps/testing/service';
import { expect, test } from 'vitest';
import {
  createClient,
  createCodeClient,
  createVerifier,
  DEVICE_CODE,
  getCode,
  issuerOf,
  redeem,
  sendForm,
  signInMember,
  statusWith,
  useOAuthService,
} from './oauth-service.ts';

const service = useOAuthService({ SERVICE_LOG_LEVEL: 'trace' });

/** Uses every grant, and returns every secret that was issued or entered on the way, by its name. */
async function issueSecrets(): Promise<Record<string, string>> {
  const { browser, person } = await signInMember(service);
  const client = await createClient(service);
  const { verifier, challenge } = createVerifier();
  const parameters = {
    scope: 'openid status:read',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    nonce: 'its nonce',
  };
  const code = await getCode(service, { browser, clientId: client.client_id, parameters });
  const first = await redeem(service, client, { code, code_verifier: verifier });
  const refresh = { as: client, grant_type: 'refresh_token', refresh_token: first.refresh_token };
  const { body: second } = await sendForm(service, '/token', refresh);
  const { body: own } = await sendForm(service, '/token', { as: client, grant_type: 'client_credentials' });
  const device = await createCodeClient(service);
  const { client_id } = device;
  const { body: started } = await sendForm(service, '/device/code', { client_id, scope: 'status:read' });
  await approveDevice(browser, String(started.user_code));
  const { device_code } = started;
  const redeemed = { grant_type: DEVICE_CODE, client_id, device_code };
  const { body: onDevice } = await sendForm(service, '/token', redeemed);
  const pushed = { as: client, response_type: 'code', redirect_uri: 'https://client.example/callback' };
  const { body: request } = await sendForm(service, '/par', pushed);
  expect(await statusWith(service, String(onDevice.access_token))).toBe(200);
  const cookies = browser.cookies.names().map((name) => [`cookie ${name}`, browser.cookies.get(name)]);
  return Object.fromEntries(
    Object.entries({
      'client secret': client.client_secret,
      password: person.password,
      code,
      verifier,
      'access token': first.access_token,
      'refresh token': first.refresh_token,
      'ID token': first.id_token,
      'second access token': second.access_token,
      'second refresh token': second.refresh_token,
      'token of the client': own.access_token,
      'device code': device_code,
      'user code': String(started.user_code),
      'user code as stored': String(started.user_code).replaceAll('-', ''),
      'access token of the device': onDevice.access_token,
      'pushed request': String(request.request_uri).replace(/^.*:/, ''),
      ...Object.fromEntries(cookies),
    }).map(([name, value]) => {
      expect(value, name).toEqual(expect.any(String));
      return [name, String(value)];
    }),
  );
}

/** Returns the content of every table, with bytes as text, hex and base64. */
async function readStore(): Promise<Map<string, string>> {
  const { db } = service.service.database.read;
  const tables = Object.keys(TABLES) as (keyof Tables)[];
  const read = async (name: keyof Tables) => {
    const rows = await db.selectFrom(name).selectAll().execute();
    const text = (_key: string, value: unknown) => {
      const bytes = toBytes(value);
      return bytes ? [bytes.toString('latin1'), bytes.toString('hex'), bytes.toString('base64url')] : value;
    };
    return [name, JSON.stringify(rows, text)] as const;
  };
  return new Map(await Promise.all(tables.map(read)));
}

function toBytes(value: unknown): Buffer | undefined {
  if (value instanceof Uint8Array) return Buffer.from(value);
  // `toJSON` of a buffer comes before the replacer.
  const isBuffer = Object(value).type === 'Buffer' && Array.isArray(Object(value).data);
  return isBuffer ? Buffer.from(Object(value).data as number[]) : undefined;
}

test('no secret of a grant is in the log or in the store', async () => {
  const secrets = await issueSecrets();
  const store = await readStore();
  expect(store.get('oauth_records')?.length).toBeGreaterThan(100);
  // Shows that the search works.
  expect(store.get('accounts')).toContain('@example.com');
  expect(service.log()).toContain('"operation":"protocol"');
  const leaks: string[] = [];
  for (const [name, secret] of Object.entries(secrets)) {
    if (service.log().includes(secret)) leaks.push(`${name} in the log`);
    const encoded = Buffer.from(secret).toString('base64url');
    for (const [table, rows] of store) {
      if (rows.includes(secret) || rows.includes(encoded)) leaks.push(`${name} in ${table}`);
    }
  }
  expect(leaks).toEqual([]);
});

test('a token in an address is refused everywhere, and not logged', async () => {
  const client = await createClient(service);
  const { body } = await sendForm(service, '/token', { as: client, grant_type: 'client_credentials' });
  const token = String(body.access_token);
  for (const path of ['/status', '/events', '/auth/userinfo']) {
    const { status } = await testFetch(`${service.baseUrl}${path}?access_token=${token}`);
    expect([400, 401], path).toContain(status);
  }
  const secret = `client_secret=${client.client_secret}&client_id=${client.client_id}`;
  const answer = await testFetch(`${issuerOf(service)}/token?${secret}&grant_type=client_credentials`, {
    method: 'POST',
  });
  expect([400, 401]).toContain(answer.status);
  expect(service.log()).not.toContain(token);
  expect(service.log()).not.toContain(client.client_secret);
  expect(service.log()).not.toContain(createHash('sha256').update(token).digest('hex'));
});

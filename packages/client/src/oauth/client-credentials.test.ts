import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../create-client.ts';
import {
  AT_ONCE,
  HANG_UP,
  type ReceivedRequest,
  type Reply,
  refusal,
  startScriptedService,
} from '../testing/scripted-service.ts';
import { type ClientCredentialsOptions, clientCredentials } from './client-credentials.ts';
import { OAuthError } from './oauth-error.ts';

afterEach(() => {
  vi.useRealTimers();
});

const SECRET = 'a secret & more+1';

/** A token endpoint of RFC 6749 for one client, and an API that accepts the token it issued last. */
async function startAuthorised(options: { grant?: object; before?: readonly Reply[] } = {}) {
  const before = [...(options.before ?? [])];
  let issued = 0;
  const valid = new Set<string>();
  const answer = ({ path, body, headers }: ReceivedRequest): Reply => {
    if (path === '/oauth2/token') {
      const early = before.shift();
      if (early !== undefined) return early;
      const form = new URLSearchParams(body);
      if (headers['content-type'] !== 'application/x-www-form-urlencoded') return { status: 415 };
      if (form.get('grant_type') !== 'client_credentials') {
        return { status: 400, json: { error: 'unsupported_grant_type' } };
      }
      if (form.get('client_id') !== 'app' || form.get('client_secret') !== SECRET) {
        return { status: 401, json: { error: 'invalid_client', error_description: body } };
      }
      issued += 1;
      valid.add(`token-${issued}`);
      const grant = { access_token: `token-${issued}`, token_type: 'Bearer', expires_in: 3600 };
      return { json: { ...grant, scope: form.get('scope'), ...options.grant } };
    }
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    return valid.has(token) ? { json: { token } } : refusal(401, 'invalid_credentials');
  };
  const service = await startScriptedService(answer);
  const connect = (changes: Partial<ClientCredentialsOptions> = {}) => {
    const source = clientCredentials({
      authUrl: `${service.url}/oauth2`,
      clientId: 'app',
      clientSecret: SECRET,
      retry: AT_ONCE,
      ...changes,
    });
    return createClient({ baseUrl: service.url, credential: source, retry: AT_ONCE });
  };
  const tokenRequests = () => service.received.filter(({ path }) => path === '/oauth2/token');
  return { ...service, connect, tokenRequests, revokeAll: () => valid.clear() };
}

test('concurrent and subsequent calls share one token', async () => {
  const { connect, tokenRequests } = await startAuthorised();
  const client = connect({ scopes: ['status:read', 'events:read'] });
  const answers = await Promise.all(Array.from({ length: 5 }, () => client.status.get()));
  await client.status.get();
  expect(answers).toEqual(Array.from({ length: 5 }, () => ({ token: 'token-1' })));
  expect(tokenRequests()).toHaveLength(1);
  const form = new URLSearchParams(tokenRequests()[0]?.body);
  expect(Object.fromEntries(form)).toEqual({
    grant_type: 'client_credentials',
    client_id: 'app',
    client_secret: SECRET,
    scope: 'status:read events:read',
  });
});

test.each([
  [3600, 3_539, 3_541],
  [100, 89, 91],
])(
  'a token of %d s is renewed after nine tenths, at most a minute before its end',
  async (life, kept, renewed) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { connect } = await startAuthorised({ grant: { expires_in: life } });
    const client = connect();
    const startedAt = Date.now();
    expect(await client.status.get()).toEqual({ token: 'token-1' });
    vi.setSystemTime(startedAt + kept * 1000);
    expect(await client.status.get()).toEqual({ token: 'token-1' });
    vi.setSystemTime(startedAt + renewed * 1000);
    expect(await client.status.get()).toEqual({ token: 'token-2' });
  },
);

test('after a refused token a new one is fetched once, for a write too', async () => {
  const { connect, revokeAll, tokenRequests } = await startAuthorised();
  const client = connect();
  await client.status.get();
  revokeAll();
  expect(await client.incidents.update('inc_1', { comment: 'c' })).toEqual({ token: 'token-2' });
  expect(tokenRequests()).toHaveLength(2);
});

test('a late refusal of an old token does not discard the current one', async () => {
  const { url, tokenRequests } = await startAuthorised();
  const source = clientCredentials({ authUrl: `${url}/oauth2`, clientId: 'app', clientSecret: SECRET });
  source.reject(await source.token([]));
  expect(await source.token([])).toBe('token-2');
  source.reject('token-1');
  expect(await source.token([])).toBe('token-2');
  expect(tokenRequests()).toHaveLength(2);
});

test('a code that is not of RFC 6749 is not quoted', async () => {
  const { connect } = await startAuthorised({ before: [{ status: 400, json: { error: `<p>${SECRET}` } }] });
  const error = await connect()
    .status.get()
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'http_400' });
  expect(String(error)).not.toContain(SECRET);
});

test('a service that refuses every token is not retried forever', async () => {
  const { connect, tokenRequests, received } = await startAuthorised({
    grant: { access_token: 'of no use' },
  });
  await expect(connect().status.get()).rejects.toThrow(TypeError);
  const other = await startAuthorised({ grant: { access_token: 'unknown' } });
  await expect(other.connect().status.get()).rejects.toMatchObject({ code: 'invalid_credentials' });
  expect(other.tokenRequests()).toHaveLength(2);
  expect(other.received).toHaveLength(4);
  expect([tokenRequests().length, received.length]).toEqual([1, 1]);
});

test('a refused client gets the code, and the error contains no secret', async () => {
  const { connect, tokenRequests } = await startAuthorised();
  const error = await connect({ clientSecret: 'wrong-secret' })
    .status.get()
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OAuthError);
  expect(error).toMatchObject({ code: 'invalid_client', status: 401 });
  expect(JSON.stringify(error) + String(error)).not.toContain('wrong-secret');
  expect(tokenRequests()).toHaveLength(1);
});

test('a transient failure of the token endpoint is retried', async () => {
  const { connect, tokenRequests } = await startAuthorised({
    before: [{ status: 503 }, HANG_UP, { status: 429 }],
  });
  expect(await connect().status.get()).toEqual({ token: 'token-1' });
  expect(tokenRequests()).toHaveLength(4);
});

test('a failure is not cached: the next call fetches a token', async () => {
  const { connect } = await startAuthorised({ before: [{ status: 400, json: { error: 'invalid_scope' } }] });
  const client = connect();
  await expect(client.status.get()).rejects.toMatchObject({ code: 'invalid_scope' });
  expect(await client.status.get()).toEqual({ token: 'token-1' });
});

test.each<[string, Reply]>([
  ['no JSON', { text: 'token' }],
  ['no token', { json: { token_type: 'Bearer' } }],
  ['a token of another type', { json: { access_token: 'x', token_type: 'mac' } }],
])('an answer with %s is not accepted as a token', async (_, reply) => {
  const { connect } = await startAuthorised({ before: [reply] });
  await expect(connect().status.get()).rejects.toMatchObject({ code: 'token_not_understood' });
});

test('the secret is sent to the given address only', async () => {
  const elsewhere = await startScriptedService([{}]);
  const { connect } = await startAuthorised({
    before: [{ status: 307, headers: { location: elsewhere.url } }],
  });
  await expect(connect().status.get()).rejects.toMatchObject({ code: 'redirect_refused' });
  expect(elsewhere.received).toEqual([]);
  const options = { clientId: 'app', clientSecret: SECRET };
  expect(() => clientCredentials({ ...options, authUrl: 'http://auth.example.com' })).toThrow(TypeError);
});

test('an aborted call does not abort the token request of the others', async () => {
  let answer = () => {};
  const held: Reply = (response) => {
    answer = () => {
      response.setHeader('content-type', 'application/json');
      response.end('{"access_token":"late","token_type":"bearer"}');
    };
  };
  const { connect, received } = await startAuthorised({ before: [held] });
  const client = connect();
  const controller = new AbortController();
  const impatient = client.status.get({ signal: controller.signal });
  const patient = client.status.get().catch((thrown: unknown) => thrown);
  await expect.poll(() => received.length).toBeGreaterThan(0);
  controller.abort(new Error('called off'));
  await expect(impatient).rejects.toThrow('called off');
  answer();
  // The API of this test does not know the token. It is enough that the call was sent with it.
  await patient;
  expect(received.map(({ headers }) => headers.authorization)).toContain('Bearer late');
});

import { expect, test } from 'vitest';
import { createClient } from '../create-client.ts';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitedError,
  ServiceError,
} from '../errors/api-error.ts';
import { ConnectionError, TimeoutError, UnexpectedAnswerError } from '../errors/transport-errors.ts';
import {
  AT_ONCE,
  HANG_UP,
  type Reply,
  refusal,
  SILENCE,
  startScriptedService,
} from '../testing/scripted-service.ts';
import type { ClientOptions } from './connection.ts';

const OK: Reply = { json: { done: true } };

async function connect(
  script: Parameters<typeof startScriptedService>[0],
  options: Partial<ClientOptions> = {},
) {
  const service = await startScriptedService(script);
  const client = createClient({ baseUrl: service.url, credential: 'secret', retry: AT_ONCE, ...options });
  return { ...service, client };
}

const PASSING: [string, Reply][] = [
  ['429', refusal(429, 'rate_limited')],
  ['500', refusal(500, 'internal_error')],
  ['502 of a proxy', { status: 502, text: '<html>' }],
  ['503', refusal(503, 'unavailable', { 'retry-after': '0' })],
  ['a broken connection', HANG_UP],
  [
    'an answer that is cut off',
    (response) => response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy()),
  ],
];

test.each(PASSING)('a read is repeated after %s', async (_, failure) => {
  const { client, received } = await connect([failure, failure, OK]);
  expect(await client.events.get('evt_1')).toEqual({ done: true });
  expect(received).toHaveLength(3);
});

test('attempts are limited, and the caller gets the last failure', async () => {
  const { client, received } = await connect([refusal(500, 'internal_error'), refusal(503, 'unavailable')]);
  await expect(client.status.get()).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  expect(received).toHaveLength(4);
});

test.each(PASSING)('all attempts to create a job have the same key, after %s', async (_, failure) => {
  const { client, received } = await connect([failure, failure, OK]);
  const job = { workflow_id: 'incident_triage_v1', input_refs: ['inc_1'] };
  await client.jobs.create(job);
  await client.jobs.create(job, { idempotencyKey: 'mine' });
  const keys = received.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(4);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
  expect(keys[3]).toBe('mine');
  expect(received.every(({ body }) => body === JSON.stringify(job))).toBe(true);
});

test.each(PASSING.filter(([name]) => name !== '429'))(
  'a write without a key is not repeated after %s: it may have taken effect',
  async (_, failure) => {
    const { client, received } = await connect([failure, OK]);
    await expect(client.incidents.update('inc_1', { comment: 'c' })).rejects.toThrow();
    expect(received).toHaveLength(1);
  },
);

test('a write without a key is repeated after 429, which has no effect', async () => {
  const { client, received } = await connect([refusal(429, 'rate_limited'), OK]);
  await client.incidents.update('inc_1', { comment: 'c' });
  expect(received.map(({ body }) => body)).toEqual(['{"comment":"c"}', '{"comment":"c"}']);
});

test('a signed request is sent once, because a signature is accepted once', async () => {
  const { client, received } = await connect([refusal(429, 'rate_limited'), OK]);
  const headers = { 'Content-Digest': 'd', 'Signature-Input': 'i', Signature: 's' };
  await expect(client.events.submit({ body: '{}', headers })).rejects.toThrow(RateLimitedError);
  expect(received).toHaveLength(1);
});

test('a refused signature is not sent again with another token', async () => {
  const service = await startScriptedService([refusal(401, 'invalid_signature')]);
  const credential = { token: async () => 'token-1', reject: () => expect.unreachable() };
  const client = createClient({ baseUrl: service.url, credential });
  const headers = { 'Content-Digest': 'd', 'Signature-Input': 'i', Signature: 's' };
  await expect(client.events.submit({ body: '{}', headers })).rejects.toMatchObject({
    code: 'invalid_signature',
  });
  expect(service.received).toHaveLength(1);
});

test('a refusal that asks for a new sign-in does not spend a refresh token', async () => {
  const service = await startScriptedService([refusal(401, 'reauthentication_required')]);
  const credential = { token: async () => 'token-1', reject: () => expect.unreachable() };
  const client = createClient({ baseUrl: service.url, credential });
  const call = client.tokens.create({ name: 't', scopes: ['status:read'] });
  await expect(call).rejects.toMatchObject({ code: 'reauthentication_required' });
  expect(service.received).toHaveLength(1);
});

test('the client waits for Retry-After', async () => {
  const { client } = await connect([refusal(429, 'rate_limited', { 'retry-after': '1' }), OK]);
  const startedAt = performance.now();
  await client.status.get();
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
});

test.each([
  [400, 'invalid_field', InvalidRequestError],
  [401, 'invalid_credentials', AuthenticationError],
  [403, 'insufficient_scope', PermissionError],
  [404, 'not_found', NotFoundError],
  [409, 'idempotency_conflict', ConflictError],
  [412, 'version_mismatch', ConflictError],
  [413, 'payload_too_large', InvalidRequestError],
  [418, 'teapot', ApiError],
  [422, 'invalid_state_transition', ConflictError],
  [429, 'rate_limited', RateLimitedError],
  [500, 'internal_error', ServiceError],
])('%d is an error of its class with code, message and request id', async (status, code, family) => {
  const { client } = await connect([refusal(status, code, { 'retry-after': '2' })], {
    retry: { attempts: 1 },
  });
  const error = await client.status.get().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(family);
  expect(error).toBeInstanceOf(ApiError);
  const expected = { status, code, message: `It is ${code}.`, requestId: 'req_1', retryAfterMs: 2_000 };
  expect(error).toMatchObject({ ...expected, name: family.name });
});

test('an error page of a proxy is not quoted', async () => {
  const { client } = await connect([{ status: 403, text: '<html>internal host name</html>' }]);
  const error = await client.status.get().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'http_403', status: 403 });
  expect(String(error)).not.toContain('internal');
});

test.each<[string, Reply]>([
  ['HTML', { text: '<html>portal</html>' }],
  ['nothing', { text: '' }],
  ['null', { text: 'null' }],
  ['said to be unchanged though nothing was known', { status: 304 }],
])('a success with %s is not accepted as an answer of the service', async (_, reply) => {
  const { client, received } = await connect([reply]);
  const error = await client.status.get().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnexpectedAnswerError);
  expect(error).toMatchObject({ code: 'answer_not_understood' });
  expect(error).not.toHaveProperty('cause');
  expect(received).toHaveLength(1);
});

test('an answer is accepted up to the limit', async () => {
  const { client } = await connect([{ json: 'x'.repeat(100) }], { responseLimitBytes: 102 });
  await client.status.get();
  const { client: stricter } = await connect([{ json: 'x'.repeat(100) }], { responseLimitBytes: 101 });
  await expect(stricter.status.get()).rejects.toMatchObject({ code: 'answer_too_large' });
});

test('an endless answer is cut off at the limit', async () => {
  const pour: Reply = (response) => {
    response.writeHead(200);
    const more = () => void (response.destroyed || response.write('x'.repeat(65_536), more));
    more();
  };
  const { client } = await connect([pour], { responseLimitBytes: 1_000_000 });
  await expect(client.status.get()).rejects.toMatchObject({ code: 'answer_too_large' });
});

test.each([301, 302, 307, 308])(
  '%d is not followed, because the credential would be sent',
  async (status) => {
    const elsewhere = await startScriptedService([OK]);
    const { client } = await connect([{ status, headers: { location: elsewhere.url } }]);
    await expect(client.status.get()).rejects.toMatchObject({ code: 'redirect_refused' });
    expect(elsewhere.received).toEqual([]);
  },
);

test('a redirect that a browser hides is refused too', async () => {
  const opaque = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
  const client = createClient({ baseUrl: 'https://x.example', fetch: async () => opaque });
  await expect(client.status.get()).rejects.toMatchObject({ code: 'redirect_refused' });
});

test('an answer that does not come in time is a TimeoutError, for each attempt', async () => {
  const { client, received } = await connect([SILENCE], { retry: { ...AT_ONCE, attempts: 2 } });
  const error = await client.status.get({ timeoutMs: 20 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ code: 'timed_out' });
  expect(received).toHaveLength(2);
});

test('an answer that begins in time and does not end is a TimeoutError', async () => {
  const { client } = await connect([(response) => void response.writeHead(200).write('{')], {
    retry: { attempts: 1 },
    timeoutMs: 20,
  });
  await expect(client.status.get()).rejects.toThrow(TimeoutError);
});

test.each(['call', 'client'] as const)('the signal of the %s aborts a request in flight', async (whose) => {
  const controller = new AbortController();
  const { signal } = controller;
  const abort: Reply = () => controller.abort(new Error('called off'));
  const retry = { attempts: 1 };
  const { client, received } = await connect([abort], whose === 'client' ? { signal, retry } : { retry });
  await expect(client.status.get(whose === 'call' ? { signal } : {})).rejects.toThrow('called off');
  await expect(client.status.get({ signal })).rejects.toThrow('called off');
  expect(received).toHaveLength(1);
});

test('a call that was aborted before is not sent', async () => {
  let calls = 0;
  const count = async () => {
    calls += 1;
    return new Response('{}');
  };
  const client = createClient({ baseUrl: 'https://x.example', fetch: count });
  const signal = AbortSignal.abort(new Error('called off'));
  await expect(client.status.get({ signal })).rejects.toThrow('called off');
  await client.status.get();
  expect(calls).toBe(1);
});

test('a signal ends the pause before the next attempt', async () => {
  const { client } = await connect([refusal(503, 'unavailable', { 'retry-after': '50' })]);
  await expect(client.status.get({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    name: 'TimeoutError',
    message: expect.stringContaining('aborted'),
  });
});

test('a refused connection is a ConnectionError with the address', async () => {
  const { client, stop, url } = await connect([OK], { retry: { attempts: 1 } });
  await stop();
  const error = await client.status.get().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ code: 'connection_failed', message: expect.stringContaining(url) });
});

test('the credential is requested for each attempt, and errors do not show an invalid one', async () => {
  let asked = 0;
  const credential = async () => `key-${++asked}`;
  const { client, received } = await connect([refusal(503, 'unavailable'), OK], { credential });
  await client.status.get();
  expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer key-1', 'Bearer key-2']);

  for (const secret of ['bad secret', 'bad\nsecret', 'schlüssel', '']) {
    const { client: mistaken } = await connect([OK], { credential: secret });
    const error = await mistaken.status.get().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(secret === '' || !String(error).includes(secret)).toBe(true);
  }
});

test('a public operation is sent without the credential, once', async () => {
  const { client, received } = await connect([refusal(503, 'unavailable')]);
  await expect(client.service.readiness()).rejects.toMatchObject({ code: 'unavailable' });
  expect(received).toHaveLength(1);
  expect(received[0]?.headers).not.toHaveProperty('authorization');
});

test('the problems of a request are those that the service lists', async () => {
  const errors = [
    { field: 'name', code: 'missing_field', message: 'name is missing' },
    { field: 'action', code: 'invalid_field', message: 'action must be one of allow, block' },
  ];
  const problem = { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'name is missing' };
  const { client, received } = await connect([
    { status: 400, json: { ...problem, code: 'missing_field', errors } },
    refusal(404, 'not_found'),
  ]);
  const read = () => client.status.get();
  await expect(read()).rejects.toMatchObject({
    message: 'name is missing',
    code: 'missing_field',
    problems: errors,
  });
  await expect(read()).rejects.toMatchObject({ message: 'It is not_found.', problems: [] });
  expect(received[0]?.headers.accept).toBe('application/json, application/problem+json');
});

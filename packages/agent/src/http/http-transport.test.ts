import { describe, expect, test } from 'vitest';
import { generateDeviceKey } from '../node/keys/software-key.ts';
import { type Reply, refusal } from '../testing/checking-service.ts';
import { CREDENTIAL, DEVICE_ID, eventNumber, startService } from '../testing/known-device.ts';
import { policy } from '../testing/sample-policy.ts';
import { createHttpTransport, type HttpTransportOptions } from './http-transport.ts';

const { signal } = new AbortController();
const key = await generateDeviceKey('ed25519');
const upload = (signedAtMs = Date.now()) => ({ events: [eventNumber(1)], key, signedAtMs });

async function transportTo(answer: (path: string) => Reply, options: Partial<HttpTransportOptions> = {}) {
  const service = await startService(({ path }) => answer(path));
  service.trust(DEVICE_ID, key.publicKeyB64);
  const given = {
    baseUrl: service.url,
    deviceId: DEVICE_ID,
    tenantId: 'tnt_1',
    credential: CREDENTIAL,
    ...options,
  };
  return { service, transport: createHttpTransport(given) };
}

async function outcomeOf(answer: Reply, options: Partial<HttpTransportOptions> = {}) {
  const { transport } = await transportTo(() => answer, options);
  return transport.sendEvents(upload(), signal);
}

describe('the outcome of a request', () => {
  test('has the body and the time of the service', async () => {
    const results = [{ event_id: 'evt_1', status: 201 }];
    const answer = [200, { results }, { date: 'Mon, 02 Mar 2026 09:15:03 GMT' }] as const;
    expect(await outcomeOf(answer)).toEqual({
      kind: 'answered',
      status: 200,
      body: results,
      serviceTimeMs: Date.UTC(2026, 2, 2, 9, 15, 3),
    });
  });

  test('is the refusal of the API, with a one-line message', async () => {
    expect(await outcomeOf(refusal(403, 'device_revoked', 'The device\u0007\r\nis revoked.'))).toMatchObject({
      kind: 'refused',
      status: 403,
      code: 'device_revoked',
      message: 'The device is revoked.',
    });
  });

  test.each([
    ['3', 3000],
    ['Mon, 02 Mar 2026 09:15:33 GMT', 30_000],
    ['Mon, 02 Mar 2026 09:00:00 GMT', 0],
    ['99999', 3_600_000],
    ['-3', undefined],
    ['soon', undefined],
    ['2026-03-02', undefined],
  ])('says how long to wait when Retry-After is %s', async (retryAfter, retryAfterMs) => {
    const headers = { date: 'Mon, 02 Mar 2026 09:15:03 GMT', 'retry-after': retryAfter };
    const [status, body] = refusal(503, 'unavailable');
    expect(await outcomeOf([status, body, headers])).toMatchObject({ kind: 'refused', retryAfterMs });
  });

  test.each<[string, Reply]>([
    ['a portal that redirects', [302, 'http://127.0.0.1:1/login']],
    ['a proxy that refuses', [403, '<h1>Forbidden</h1>']],
  ])('is a refusal without a code or time for %s', async (_name, reply) => {
    expect(await outcomeOf(reply)).toMatchObject({
      kind: 'refused',
      code: undefined,
      serviceTimeMs: undefined,
    });
  });

  test.each<[string, Reply]>([
    ['a connection that ends', 'disconnect'],
    ['a page where JSON should be', [200, '<h1>Welcome</h1>']],
    ['JSON of another form', [200, { results: [null] }]],
    ['an endless answer', [200, { results: [], padding: 'x'.repeat(4 * 1024 * 1024) }]],
  ])('is unknown after %s', async (_name, reply) => {
    expect(await outcomeOf(reply)).toMatchObject({ kind: 'unreachable' });
  });

  test('is unknown after the time limit and after cancellation', async () => {
    const { transport } = await transportTo(() => 'silence', { timeoutMs: 20 });
    expect(await transport.sendEvents(upload(), signal)).toMatchObject({
      message: expect.stringContaining('TimeoutError'),
    });
    expect(await transport.sendEvents(upload(), AbortSignal.abort())).toMatchObject({ kind: 'unreachable' });
  });

  test('never quotes the credential, not even an invalid one', async () => {
    const outcome = await outcomeOf([200, {}], { credential: 'svc_secret\r\nx: y' });
    expect(outcome).toMatchObject({ kind: 'unreachable' });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });
});

describe('the credential', () => {
  test('of the enrolment is used to register only', async () => {
    const device = { device_id: DEVICE_ID, tenant_id: 'tnt_1' };
    const { service, transport } = await transportTo(() => [200, device], {
      enrolmentCredential: 'svc_enrol',
    });
    await transport.register({ key, platform: 'linux', signedAtMs: Date.now() }, signal);
    await transport.sendEvents(upload(), signal);
    await transport.rotateKey({ old: key, next: key, signedAtMs: Date.now() }, signal);
    expect(service.received.map(({ credential }) => credential)).toEqual([
      'Bearer svc_enrol',
      `Bearer ${CREDENTIAL}`,
      `Bearer ${CREDENTIAL}`,
    ]);
  });

  test('that expired in transit is asked for a second time', async () => {
    const given = ['svc_old', 'svc_new'];
    const answers = [refusal(401, 'invalid_credentials'), [200, { results: [] }] as const];
    const { service, transport } = await transportTo(() => answers.shift() ?? 'disconnect', {
      credential: async () => given.shift() ?? '',
    });
    expect(await transport.sendEvents(upload(), signal)).toMatchObject({
      kind: 'answered',
    });
    expect(service.received.map(({ credential }) => credential)).toEqual([
      'Bearer svc_old',
      'Bearer svc_new',
    ]);
  });
});

test('signatures are dated with signedAtMs', async () => {
  const { transport } = await transportTo(() => [200, { results: [] }]);
  const wrong = upload(Date.now() + 7 * 24 * 3_600_000);
  expect(await transport.sendEvents(wrong, signal)).toMatchObject({ code: 'invalid_signature' });
  expect(await transport.sendEvents(upload(), signal)).toMatchObject({ kind: 'answered' });
});

describe('policies', () => {
  const page = (names: readonly string[], next: string | null): Reply => [
    200,
    { data: names.map((name) => policy(name)), has_more: next !== null, next_cursor: next },
    { etag: '"one"' },
  ];

  test('come with the tag of the answer, and are not sent again while it matches', async () => {
    const service = await startService(({ ifNoneMatch }) =>
      ifNoneMatch === '"one"' ? [304, undefined] : page(['pol_1'], null),
    );
    const transport = createHttpTransport({
      baseUrl: service.url,
      deviceId: DEVICE_ID,
      tenantId: 'tnt_1',
      credential: CREDENTIAL,
    });
    const first = await transport.fetchPolicies(undefined, signal);
    expect(first).toMatchObject({ body: { kind: 'changed', policies: [policy('pol_1')], etag: '"one"' } });
    expect(await transport.fetchPolicies('"one"', signal)).toMatchObject({ body: { kind: 'unchanged' } });
  });

  test('of several pages all come, without a tag: it would cover the first page only', async () => {
    const { service, transport } = await transportTo((path) =>
      path.includes('cursor=next%2F1') ? page(['pol_2'], null) : page(['pol_1'], 'next/1'),
    );
    expect(await transport.fetchPolicies('"one"', signal)).toMatchObject({
      body: { kind: 'changed', policies: [policy('pol_1'), policy('pol_2')], etag: undefined },
    });
    // With the tag of the first page, the second could be left out.
    expect(service.received.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual(['"one"', undefined]);
  });

  test.each<[string, Reply]>([
    ['a 304 without a tag', [304, undefined]],
    ['an invalid page', [200, { data: {}, has_more: false }]],
  ])('are unknown after %s', async (_name, reply) => {
    const { transport } = await transportTo(() => reply);
    expect(await transport.fetchPolicies(undefined, signal)).toMatchObject({ kind: 'unreachable' });
  });

  const many = Array.from({ length: 600 }, (_, index) => `pol_${index}`);
  test.each<[string, Reply, number]>([
    ['an invalid policy', [200, { data: [{ ...policy('pol_1'), action: 'burn' }], has_more: false }], 1],
    ['a policy whose id is not a string', [200, { data: [{ ...policy('pol_1'), policy_id: ['pol_1'] }] }], 1],
    ['pages without an end', page(['pol_1'], 'again'), 10],
    ['too many policies', page(many, 'again'), 2],
  ])('are unusable with %s, but the service has answered', async (_name, reply, requests) => {
    const { service, transport } = await transportTo(() => reply);
    expect(await transport.fetchPolicies(undefined, signal)).toMatchObject({
      kind: 'refused',
      code: 'unusable_policies',
      serviceTimeMs: expect.any(Number),
    });
    expect(service.received).toHaveLength(requests);
  });
});

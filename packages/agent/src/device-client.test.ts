import type { Event } from '@tps/contract';
import { SIGNATURE_ALGORITHMS } from '@tps/signatures';
import { afterEach, describe, expect, test } from 'vitest';
import { createDeviceClient, type DeviceClientOptions } from './device-client.ts';
import { DeviceClientError } from './device-client-error.ts';
import { type DeviceKey, generateDeviceKey } from './device-key.ts';
import { refusal, startCheckingService } from './testing/checking-service.ts';

const CREDENTIAL = 'svc_test_ThisIsNotARealCredential';
const DEVICE_ID = 'dev_1';

function eventNumber(number: number): Event {
  return {
    event_id: `evt_${number}`,
    type: 'risk.event.created',
    timestamp: '2026-03-02T09:15:03.000Z',
    tenant_id: 'tnt_1',
    device_id: DEVICE_ID,
    threat_category: 'phishing',
    confidence: 0.97,
    action_taken: 'block',
    policy_id: 'pol_1',
    severity: 'high',
    description: 'A look-alike login page — déjà vu',
  };
}

const toClose: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(toClose.splice(0).map((close) => close()));
});

async function startService(...args: Parameters<typeof startCheckingService>) {
  const service = await startCheckingService(...args);
  toClose.push(service.close);
  return service;
}

/** A client of a device that the service already knows. */
async function knownDevice(
  service: Awaited<ReturnType<typeof startService>>,
  overrides: Partial<DeviceClientOptions> = {},
) {
  const key = overrides.key ?? (await generateDeviceKey('ed25519'));
  service.trust(DEVICE_ID, key.publicKeyB64);
  const options = { baseUrl: service.url, credential: CREDENTIAL, deviceId: DEVICE_ID, key };
  return createDeviceClient({ ...options, ...overrides });
}

async function failureOf(answer: Promise<unknown>): Promise<DeviceClientError> {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DeviceClientError)) {
    throw new Error(`expected a DeviceClientError, got ${error}`);
  }
  return error;
}

describe('register', () => {
  test('proves possession of the key it announces and sends only what it was told', async () => {
    const service = await startService(() => [201, { device_id: DEVICE_ID }]);
    const key = await generateDeviceKey('ed25519');
    const client = createDeviceClient({
      baseUrl: service.url,
      credential: CREDENTIAL,
      deviceId: DEVICE_ID,
      key,
    });
    expect(await client.register({ platform: 'android' })).toEqual({
      status: 201,
      body: { device_id: DEVICE_ID },
    });
    await client.register({ platform: 'ios', name: 'Desk', agentVersion: '2.4.1', tenantId: 'tnt_1' });

    const required = { device_id: DEVICE_ID, platform: 'android', public_key_b64: key.publicKeyB64 };
    expect(service.received.map(({ body }) => body)).toEqual([
      required,
      { ...required, platform: 'ios', name: 'Desk', agent_version: '2.4.1', tenant_id: 'tnt_1' },
    ]);
    expect(service.received[0]).toMatchObject({
      path: '/devices',
      credential: `Bearer ${CREDENTIAL}`,
      signatures: [{ label: 'tps', tag: 'tps-register', keyId: DEVICE_ID }],
    });
  });
});

describe('submitEvent and submitEvents', () => {
  test.each(SIGNATURE_ALGORITHMS)(
    'send events that a service verifies with the %s key',
    async (algorithm) => {
      const service = await startService(({ body }) => [201, body]);
      const client = await knownDevice(service, { key: await generateDeviceKey(algorithm) });
      const event = eventNumber(1);
      expect(await client.submitEvent(event)).toEqual({ status: 201, body: event });
      expect(service.received[0]?.signatures).toMatchObject([
        { algorithm, tag: 'tps-event', keyId: DEVICE_ID },
      ]);
    },
  );

  test('send a batch under one signature, in order', async () => {
    const service = await startService();
    const client = await knownDevice(service);
    const events = [eventNumber(1), eventNumber(2), eventNumber(3)];
    await client.submitEvents(events);
    expect(service.received).toMatchObject([{ path: '/events/batch', body: { events } }]);
    expect(service.received[0]?.signatures).toHaveLength(1);
  });

  test('sign anew for each call, also for the same event', async () => {
    const service = await startService();
    const client = await knownDevice(service);
    await Promise.all(Array.from({ length: 10 }, () => client.submitEvent(eventNumber(1))));
    const nonces = service.received.flatMap(({ signatures }) => signatures.map(({ nonce }) => nonce));
    expect(new Set(nonces).size).toBe(10);
  });

  test('are refused by the service under a key it does not know', async () => {
    const service = await startService();
    const client = await knownDevice(service);
    service.trust(DEVICE_ID, (await generateDeviceKey('ed25519')).publicKeyB64);
    expect(await failureOf(client.submitEvent(eventNumber(1)))).toMatchObject({ code: 'invalid_signature' });
  });
});

describe('the base URL', () => {
  test.each([
    ['', '/events'],
    ['/', '/events'],
    ['/api/v1', '/api/v1/events'],
    ['/api/v1/', '/api/v1/events'],
    ['/a%20b', '/a%20b/events'],
  ])('may end in %j: the path called is the path signed', async (prefix, path) => {
    const service = await startService();
    const client = await knownDevice(service, { baseUrl: `${service.url}${prefix}` });
    await client.submitEvent(eventNumber(1));
    expect(service.received.map((request) => request.path)).toEqual([path]);
  });

  test.each([
    'ftp://tps.example',
    'https://user:secret@tps.example',
    'https://tps.example/?a=1',
    'tps.example',
  ])('may not be %s', async (baseUrl) => {
    const key = await generateDeviceKey('ed25519');
    const create = () => createDeviceClient({ baseUrl, credential: CREDENTIAL, deviceId: DEVICE_ID, key });
    expect(create).toThrow(TypeError);
  });
});

describe('rotateKey', () => {
  const rotation = async (outcome: () => readonly [number, unknown]) => {
    const service = await startService(({ path }) => (path.endsWith('/keys') ? outcome() : [200, {}]));
    const [key, newKey] = await Promise.all([
      generateDeviceKey('rsa-pss-sha512'),
      generateDeviceKey('ed25519'),
    ]);
    return { service, newKey, client: await knownDevice(service, { key }) };
  };
  const algorithmOfNextEvent = async ({ service, client }: Awaited<ReturnType<typeof rotation>>) => {
    await client.submitEvent(eventNumber(1));
    return service.received.at(-1)?.signatures[0]?.algorithm;
  };

  test('is signed by both keys, and what follows by the new one alone', async () => {
    const started = await rotation(() => [200, { device_id: DEVICE_ID }]);
    const answer = await started.client.rotateKey(started.newKey);
    expect(answer).toEqual({ status: 200, body: { device_id: DEVICE_ID } });
    expect(started.service.received).toMatchObject([
      {
        path: `/devices/${DEVICE_ID}/keys`,
        body: { public_key_b64: started.newKey.publicKeyB64 },
        signatures: [
          { label: 'old', tag: 'tps-rotate', algorithm: 'rsa-pss-sha512', keyId: DEVICE_ID },
          { label: 'new', tag: 'tps-rotate', algorithm: 'ed25519', keyId: DEVICE_ID },
        ],
      },
    ]);
    expect(await algorithmOfNextEvent(started)).toBe('ed25519');
  });

  test('keeps the present key when the service refuses', async () => {
    const started = await rotation(() =>
      refusal(400, 'invalid_public_key', 'The public key is not supported.'),
    );
    expect(await failureOf(started.client.rotateKey(started.newKey))).toMatchObject({
      code: 'invalid_public_key',
    });
    expect(await algorithmOfNextEvent(started)).toBe('rsa-pss-sha512');
  });
});

describe('an answer that is not the one asked for', () => {
  const failureFor = async (status: number, body: unknown) => {
    const service = await startService(() => [status, body]);
    return failureOf((await knownDevice(service)).submitEvent(eventNumber(1)));
  };

  test('carries the status, code and message of the API, and the request id', async () => {
    const [status, body] = refusal(409, 'event_id_conflict', 'The event_id is taken.');
    const error = await failureFor(status, body);
    expect({ ...error, message: error.message }).toEqual({
      name: 'DeviceClientError',
      status: 409,
      code: 'event_id_conflict',
      message: 'The event_id is taken.',
      requestId: 'req_1',
    });
  });

  test.each<[string, number, unknown]>([
    ['the page of a proxy', 502, '<h1>Bad Gateway</h1>'],
    ['JSON of another form', 500, { message: 'no' }],
    ['JSON null', 503, null],
    ['a success without JSON', 200, 'ok'],
  ])('is told by its status alone when it is %s', async (_, status, body) => {
    const error = await failureFor(status, body);
    expect(error).toMatchObject({ status, code: undefined });
    expect(error.message).toContain(String(status));
  });

  test('is not followed elsewhere when it is a redirect', async () => {
    const elsewhere = await startService();
    const error = await failureFor(307, `${elsewhere.url}/events`);
    expect(error.status).toBe(307);
    expect(elsewhere.received).toEqual([]);
  });
});

describe('no answer at all', () => {
  const unreachable = async (fetch: typeof globalThis.fetch, key: DeviceKey) =>
    createDeviceClient({
      baseUrl: 'https://tps.example',
      credential: CREDENTIAL,
      deviceId: DEVICE_ID,
      key,
      fetch,
      timeoutMs: 20,
    }).submitEvent(eventNumber(1));

  test('rejects with the error of fetch', async () => {
    const failure = new TypeError('fetch failed');
    const answer = unreachable(() => Promise.reject(failure), await generateDeviceKey('ed25519'));
    await expect(answer).rejects.toBe(failure);
  });

  test('ends after the time allowed', async () => {
    const never: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const answer = unreachable(never, await generateDeviceKey('ed25519'));
    await expect(answer).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

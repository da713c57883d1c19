import { hash } from 'node:crypto';
import { SIGNATURE_ALGORITHMS } from '@tps/signatures';
import { describe, expect, test } from 'vitest';
import { type Reply, refusal } from '../../testing/checking-service.ts';
import {
  CREDENTIAL,
  DEVICE_ID,
  eventNumber,
  failureOf,
  knownDevice,
  startService,
} from '../../testing/known-device.ts';
import { generateDeviceKey } from '../keys/software-key.ts';
import { createDeviceClient } from './device-client.ts';

const URL_HASH = `url:sha256:${hash('sha256', 'https://login.example/x?user=anna')}`;

describe('register', () => {
  test('proves possession of the announced key and sends only the given details', async () => {
    const service = await startService(() => [201, { device_id: DEVICE_ID }]);
    const key = await generateDeviceKey('ed25519');
    const client = createDeviceClient({
      baseUrl: service.url,
      credential: CREDENTIAL,
      deviceId: DEVICE_ID,
      tenantId: 'tnt_1',
      key,
    });
    expect(await client.register({ platform: 'android' })).toEqual({
      status: 201,
      body: { device_id: DEVICE_ID },
    });
    await client.register({ platform: 'ios', name: 'Desk', agentVersion: '2.4.1' });

    const required = {
      tenant_id: 'tnt_1',
      device_id: DEVICE_ID,
      platform: 'android',
      public_key_b64: key.publicKeyB64,
    };
    expect(service.received.map(({ body }) => body)).toEqual([
      required,
      { ...required, platform: 'ios', name: 'Desk', agent_version: '2.4.1' },
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
    'send events that the service verifies with the %s key',
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

  test('create a new signature for each call, even for the same event', async () => {
    const service = await startService();
    const client = await knownDevice(service);
    await Promise.all(Array.from({ length: 10 }, () => client.submitEvent(eventNumber(1))));
    const nonces = service.received.flatMap(({ signatures }) => signatures.map(({ nonce }) => nonce));
    expect(new Set(nonces).size).toBe(10);
  });

  test('redact an event before signing and do not change the given one', async () => {
    const service = await startService();
    const client = await knownDevice(service);
    const event = {
      ...eventNumber(1),
      description: 'Mail from anna.example@mail.example with https://login.example/x?user=anna',
      indicators: ['https://login.example/x?user=anna', '203.0.113.77'],
      metadata: { agent_version: '2.4.1', note: 'reported by anna.example@mail.example' },
    };
    const before = structuredClone(event);
    await client.submitEvent(event);
    await client.submitEvents([event, eventNumber(2)]);

    const [single, batch] = service.received.map(({ body }) => body);
    expect(single).toMatchObject({
      event_id: 'evt_1',
      indicators: [URL_HASH, '203.0.113.0/24'],
      description: `Mail from [email] with ${URL_HASH}`,
      metadata: { agent_version: '2.4.1', note: 'reported by [email]' },
    });
    expect(batch).toEqual({ events: [single, eventNumber(2)] });
    expect(event).toEqual(before);
  });

  test('are refused by the service under an unknown key', async () => {
    const service = await startService();
    const client = await knownDevice(service);
    service.trust(DEVICE_ID, (await generateDeviceKey('ed25519')).publicKeyB64);
    expect(await failureOf(client.submitEvent(eventNumber(1)))).toMatchObject({ code: 'invalid_signature' });
  });
});

describe('rotateKey', () => {
  const rotation = async (outcome: () => Reply) => {
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

  test('is signed by both keys, and later requests by the new key alone', async () => {
    const started = await rotation(() => [200, { device_id: DEVICE_ID }]);
    const answer = await started.client.rotateKey(started.newKey);
    expect(answer).toEqual({ status: 200, body: { device_id: DEVICE_ID } });
    expect(started.service.received).toMatchObject([
      {
        path: `/devices/${DEVICE_ID}/keys`,
        body: { tenant_id: 'tnt_1', public_key_b64: started.newKey.publicKeyB64 },
        signatures: [
          { label: 'old', tag: 'tps-rotate', algorithm: 'rsa-pss-sha512', keyId: DEVICE_ID },
          { label: 'new', tag: 'tps-rotate', algorithm: 'ed25519', keyId: DEVICE_ID },
        ],
      },
    ]);
    expect(await algorithmOfNextEvent(started)).toBe('ed25519');
  });

  test('keeps the current key when the service refuses', async () => {
    const started = await rotation(() =>
      refusal(400, 'invalid_public_key', 'The public key is not supported.'),
    );
    expect(await failureOf(started.client.rotateKey(started.newKey))).toMatchObject({
      code: 'invalid_public_key',
    });
    expect(await algorithmOfNextEvent(started)).toBe('rsa-pss-sha512');
  });
});

import { describe, expect, test } from 'vitest';
import { refusal } from '../../testing/checking-service.ts';
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

const IDENTITY = { deviceId: DEVICE_ID, tenantId: 'tnt_1' };

describe('the base URL', () => {
  test.each([
    ['', '/events'],
    ['/', '/events'],
    ['/api/v1', '/api/v1/events'],
    ['/api/v1/', '/api/v1/events'],
    ['/a%20b', '/a%20b/events'],
  ])('may end in %j, and the requested path is the signed path', async (prefix, path) => {
    const service = await startService();
    const client = await knownDevice(service, { baseUrl: `${service.url}${prefix}` });
    await client.submitEvent(eventNumber(1));
    expect(service.received.map((request) => request.path)).toEqual([path]);
  });

  test.each([
    'ftp://tps.example',
    'https://user@tps.example',
    'https://:secret@tps.example',
    'https://tps.example/?a=1',
    'tps.example',
    'http://tps.example',
    'http://127.0.0.1.tps.example',
  ])('may not be %s', async (baseUrl) => {
    const key = await generateDeviceKey('ed25519');
    const create = () => createDeviceClient({ ...IDENTITY, baseUrl, credential: CREDENTIAL, key });
    expect(create).toThrow(TypeError);
  });

  test.each([
    ['https://tps.example', false],
    ['http://localhost:8080', false],
    ['http://[::1]:8080', false],
    ['http://tps.internal', true],
  ])('may be %s', async (baseUrl, allowInsecure) => {
    const key = await generateDeviceKey('ed25519');
    const options = { ...IDENTITY, baseUrl, allowInsecure, credential: CREDENTIAL, key };
    expect(() => createDeviceClient(options)).not.toThrow();
  });
});

describe('an unexpected answer', () => {
  const failureFor = async (status: number, body: unknown) => {
    const service = await startService(() => [status, body]);
    return failureOf((await knownDevice(service)).submitEvent(eventNumber(1)));
  };

  test('becomes an error with the status, code and message of the API and the request id', async () => {
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
  ])('becomes an error with the status alone when it is %s', async (_, status, body) => {
    const error = await failureFor(status, body);
    expect(error).toMatchObject({ status, code: undefined });
    expect(error.message).toContain(String(status));
  });

  test('is not followed when it is a redirect', async () => {
    const elsewhere = await startService();
    const error = await failureFor(307, `${elsewhere.url}/events`);
    expect(error.status).toBe(307);
    expect(elsewhere.received).toEqual([]);
  });
});

describe('no answer at all', () => {
  test('rejects with the error of fetch', async () => {
    const failure = new TypeError('fetch failed');
    const client = await knownDevice(await startService(), { fetch: () => Promise.reject(failure) });
    await expect(client.submitEvent(eventNumber(1))).rejects.toBe(failure);
  });

  // One millisecond ends before the request is signed, as on a busy machine.
  test.each([1, 50])('rejects after a time limit of %i ms', async (timeoutMs) => {
    const service = await startService(() => 'silence');
    const client = await knownDevice(service, { timeoutMs });
    await expect(client.submitEvent(eventNumber(1))).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

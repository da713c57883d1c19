import { createHash, sign } from 'node:crypto';
import { generateDeviceKey } from '@tps/agent';
import { type SignatureTag, signRequest } from '@tps/signatures';
import { codeOf, registerTestDevice, type TestDevice, testEvent } from '@tps/testing/device';
import { createContractClient, startTestService, type TestService } from '@tps/testing/service';
import { httpbis } from 'http-message-signatures';
import { describe, expect, onTestFinished, test } from 'vitest';

/** Signs with a third-party library, following the documentation, without code of this project. */
async function signElsewhere({ device, url, body }: { device: TestDevice; url: string; body: string }) {
  const { headers } = await httpbis.signMessage(
    {
      key: {
        id: device.deviceId,
        alg: 'rsa-v1_5-sha256',
        sign: async (data) => sign('sha256', data, device.key.privateKey),
      },
      name: 'tps',
      fields: ['@method', '@path', 'content-digest'],
      params: ['created', 'nonce', 'keyid', 'alg', 'tag'],
      paramValues: { nonce: createHash('sha256').update(body).digest('base64url'), tag: 'tps-event' },
    },
    {
      method: 'POST',
      url,
      headers: { 'content-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:` },
    },
  );
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

async function send(service: TestService, device: TestDevice, change = (body: string) => body) {
  const body = JSON.stringify(device.event({ description: 'link in a message' }));
  const headers = await signElsewhere({ device, url: `${service.baseUrl}/events`, body });
  const { credential } = device.tenant;
  return service.client.send('POST', '/events', { credential, body: change(body), headers });
}

test('a signature of another RFC 9421 library is accepted, with a changed byte rejected', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const device = await registerTestDevice(service, { algorithm: 'rsa-v1_5-sha256' });
  expect((await send(service, device)).status).toBe(201);

  const refused = await send(service, device, (body) => body.replace('message', 'nessage'));
  expect([refused.status, codeOf(refused)]).toEqual([401, 'invalid_signature']);
});

describe('behind a proxy that strips a prefix', () => {
  test('the path that the client called must be signed, not the path that arrives', async () => {
    const service = await startTestService({ env: { SERVICE_BASE_URL: 'http://127.0.0.1:0/tps' } });
    onTestFinished(() => service.stop());
    // The base URL of the proxy in front.
    const client = createContractClient(new URL(service.baseUrl).origin);
    const { privateKey, algorithm, publicKeyB64 } = await generateDeviceKey('ed25519');
    const { credential, tenantId } = service.tenant;
    const post = async (
      path: string,
      content: object,
      { signed, tag }: { signed: string; tag: SignatureTag },
    ) => {
      const body = JSON.stringify(content);
      const signer = { privateKey, algorithm, keyId: 'dev_1', tag };
      const headers = await signRequest({ method: 'POST', path: signed, body: Buffer.from(body) }, signer);
      return (await client.send('POST', path, { credential, body, headers })).status;
    };
    const registration = {
      tenant_id: tenantId,
      device_id: 'dev_1',
      platform: 'ios',
      public_key_b64: publicKeyB64,
    };
    const event = testEvent({ tenant_id: tenantId, device_id: 'dev_1' });
    expect(await post('/devices', registration, { signed: '/devices', tag: 'tps-register' })).toBe(401);
    expect(await post('/devices', registration, { signed: '/tps/devices', tag: 'tps-register' })).toBe(201);
    expect(await post('/events', event, { signed: '/events', tag: 'tps-event' })).toBe(401);
    expect(await post('/events', event, { signed: '/tps/events', tag: 'tps-event' })).toBe(201);
  });
});

import { generateDeviceKey } from '@tps/agent';
import type { RequestSigner } from '@tps/signatures';
import { codeOf, registerTestDevice, signedSend, type TestDevice } from '@tps/testing/device';
import { type TestAnswer, type TestTenant, useTestService } from '@tps/testing/service';
import { beforeEach, describe, expect, test } from 'vitest';

const service = useTestService();

let device: TestDevice;
let other: TestTenant;

beforeEach(async () => {
  device = await registerTestDevice(service);
  other = await service.createTenant();
});

const registration = (tenantId?: string) => ({
  ...(tenantId === undefined ? {} : { tenant_id: tenantId }),
  device_id: device.deviceId,
  platform: 'android',
  public_key_b64: device.key.publicKeyB64,
});

const sendRegistration = (body: object, credential: string) =>
  signedSend(service, device, body, { path: '/devices', credential, signer: { tag: 'tps-register' } });

const sendRotation = (
  key: Awaited<ReturnType<typeof generateDeviceKey>>,
  body: object,
  credential: string,
) => {
  const signer = (label: string, { privateKey, algorithm }: typeof key): RequestSigner => ({
    privateKey,
    algorithm,
    keyId: device.deviceId,
    tag: 'tps-rotate',
    label,
  });
  const signers = [signer('old', device.key), signer('new', key)];
  return signedSend(service, device, body, {
    path: `/devices/${device.deviceId}/keys`,
    credential,
    signer: signers,
  });
};

const outcomeOf = (answer: TestAnswer) => [answer.status, codeOf(answer)];

const readOther = () => service.client.send('GET', `/devices/${device.deviceId}`, other);

/** Registers the same id and key in the other tenant: its owner has the device in both. */
async function registerInOther(): Promise<void> {
  expect((await sendRegistration(registration(other.tenantId), other.credential)).status).toBe(201);
}

describe('what a device signed for one tenant does nothing in another:', () => {
  test('a registration', async () => {
    const captured = registration(device.tenant.tenantId);
    expect((await sendRegistration(captured, device.tenant.credential)).status).toBe(200);
    const replayed = await sendRegistration(captured, other.credential);
    expect(outcomeOf(replayed)).toEqual([403, 'tenant_mismatch']);
    expect((await readOther()).status).toBe(404);
  });

  test('a registration that names no tenant, because it would fit every tenant', async () => {
    for (const { credential } of [device.tenant, other]) {
      expect(outcomeOf(await sendRegistration(registration(), credential))).toEqual([400, 'missing_field']);
    }
    expect((await readOther()).status).toBe(404);
  });

  test('a rotation, with its tenant or without', async () => {
    await registerInOther();
    const next = await generateDeviceKey('ed25519');
    const body = { tenant_id: device.tenant.tenantId, public_key_b64: next.publicKeyB64 };
    const { tenant_id: _, ...unbound } = body;
    expect(outcomeOf(await sendRotation(next, body, other.credential))).toEqual([403, 'tenant_mismatch']);
    expect(outcomeOf(await sendRotation(next, unbound, other.credential))).toEqual([400, 'missing_field']);
    expect((await readOther()).body).toMatchObject({ public_key_b64: device.key.publicKeyB64 });
    expect((await sendRotation(next, body, device.tenant.credential)).status).toBe(200);
  });

  test('an event', async () => {
    await registerInOther();
    const refused = await signedSend(service, device, device.event(), { credential: other.credential });
    expect(outcomeOf(refused)).toEqual([403, 'tenant_mismatch']);
    expect((await service.client.send('GET', '/events', other)).body).toMatchObject({ data: [] });
  });

  test('a batch of events', async () => {
    await registerInOther();
    const before = (await readOther()).body;
    const batch = { events: [device.event(), device.event()] };
    const answer = await signedSend(service, device, batch, {
      path: '/events/batch',
      credential: other.credential,
    });
    expect(answer.body).toMatchObject({
      results: batch.events.map(() => ({ status: 403, error: { code: 'tenant_mismatch' } })),
    });
    expect((await service.client.send('GET', '/events', other)).body).toMatchObject({ data: [] });
    expect((await readOther()).body).toEqual(before);
  });
});

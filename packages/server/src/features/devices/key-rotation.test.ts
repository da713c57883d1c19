import { generateDeviceKey, type SoftwareKey } from '@tps/agent';
import type { Device } from '@tps/contract';
import type { RequestSigner } from '@tps/signatures';
import { codeOf, registerTestDevice, signedSend, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { beforeEach, describe, expect, test } from 'vitest';

let device: TestDevice;
let newKey: SoftwareKey;

const service = useTestService();

beforeEach(async () => {
  device = await registerTestDevice(service);
  newKey = await generateDeviceKey('ecdsa-p256-sha256');
});

function signer(label: string, key: SoftwareKey, parts: Partial<RequestSigner> = {}): RequestSigner {
  const { privateKey, algorithm } = key;
  return { privateKey, algorithm, keyId: device.deviceId, tag: 'tps-rotate', label, ...parts };
}

function rotate(signers: readonly RequestSigner[], publicKeyB64 = newKey.publicKeyB64) {
  const body = { tenant_id: device.tenant.tenantId, public_key_b64: publicKeyB64 };
  return signedSend(service, device, body, { path: `/devices/${device.deviceId}/keys`, signer: signers });
}

async function storedKey(): Promise<string> {
  const answer = await service.client.send('GET', `/devices/${device.deviceId}`, service.tenant);
  return (answer.body as Device).public_key_b64;
}

describe('rotating the key of a device', () => {
  test('requires both signatures, and then only the new key is accepted', async () => {
    expect((await device.post(device.event())).status).toBe(201);
    const rotated = await rotate([signer('old', device.key), signer('new', newKey)]);
    expect(rotated.status).toBe(200);
    expect((rotated.body as Device).public_key_b64).toBe(newKey.publicKeyB64);
    expect(await storedKey()).toBe(newKey.publicKeyB64);

    const byOld = await device.post(device.event());
    expect([byOld.status, codeOf(byOld)]).toEqual([401, 'invalid_signature']);
    expect((await signedSend(service, { ...device, key: newKey }, device.event())).status).toBe(201);
  });

  test.each<[string, () => RequestSigner[]]>([
    ['the old signature is missing', () => [signer('new', newKey)]],
    ['the new signature is missing', () => [signer('old', device.key)]],
    ['the two are swapped', () => [signer('old', newKey), signer('new', device.key)]],
    ['both are by the old key', () => [signer('old', device.key), signer('new', device.key)]],
    ['both are by the new key', () => [signer('old', newKey), signer('new', newKey)]],
    ['there is a third', () => [signer('old', device.key), signer('new', newKey), signer('third', newKey)]],
    [
      'one is tagged for something else',
      () => [signer('old', device.key, { tag: 'tps-event' }), signer('new', newKey)],
    ],
    [
      'one names another device',
      () => [signer('old', device.key), signer('new', newKey, { keyId: 'dev_other' })],
    ],
    [
      'one is too old',
      () => [
        signer('old', device.key, { created: Math.floor(Date.now() / 1000) - 301 }),
        signer('new', newKey),
      ],
    ],
  ])('is rejected when %s', async (_, signers) => {
    const refused = await rotate(signers());
    expect([refused.status, codeOf(refused)]).toEqual([401, 'invalid_signature']);
    expect(await storedKey()).toBe(device.key.publicKeyB64);
  });

  test('is rejected when the body contains another key than the one that signed', async () => {
    const third = await generateDeviceKey('ed25519');
    const signers = [signer('old', device.key), signer('new', newKey)];
    const refused = await rotate(signers, third.publicKeyB64);
    expect([refused.status, codeOf(refused)]).toEqual([401, 'invalid_signature']);
    expect(await storedKey()).toBe(device.key.publicKeyB64);
  });

  test('is rejected for a weak key, an unknown device and a revoked device', async () => {
    const signers = () => [signer('old', device.key), signer('new', newKey)];
    const identity = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.of(1),
      Buffer.alloc(31),
    ]);
    for (const publicKeyB64 of ['A'.repeat(60), identity.toString('base64')]) {
      const weak = await rotate(signers(), publicKeyB64);
      expect([weak.status, codeOf(weak)]).toEqual([400, 'invalid_public_key']);
    }

    const unknown = { ...device, deviceId: 'dev_nobody' };
    const options = signers().map((one) => ({ ...one, keyId: 'dev_nobody' }));
    const answer = await signedSend(
      service,
      unknown,
      { tenant_id: device.tenant.tenantId, public_key_b64: newKey.publicKeyB64 },
      { path: '/devices/dev_nobody/keys', signer: options },
    );
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);

    const { credential } = service.tenant;
    const body = { status: 'revoked' };
    await service.client.send('PATCH', `/devices/${device.deviceId}`, { credential, body });
    const revoked = await rotate(signers());
    expect([revoked.status, codeOf(revoked)]).toEqual([403, 'device_revoked']);
  });

  test('a captured request cannot be replayed, even after the old key was restored', async () => {
    const nonces = [{ nonce: 'a'.repeat(22) }, { nonce: 'b'.repeat(22) }];
    const captured = () => [signer('old', device.key, nonces[0]), signer('new', newKey, nonces[1])];
    expect((await rotate(captured())).status).toBe(200);
    const back = [signer('old', newKey), signer('new', device.key)];
    expect((await rotate(back, device.key.publicKeyB64)).status).toBe(200);
    const replay = await rotate(captured());
    expect([replay.status, codeOf(replay)]).toEqual([401, 'replayed_request']);
    expect(await storedKey()).toBe(device.key.publicKeyB64);
  });

  test('one of two concurrent rotations succeeds', async () => {
    const other = await generateDeviceKey('ed25519');
    const answers = await Promise.all([
      rotate([signer('old', device.key), signer('new', newKey)]),
      rotate([signer('old', device.key), signer('new', other)], other.publicKeyB64),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const winner = answers[0].status === 200 ? newKey : other;
    expect(await storedKey()).toBe(winner.publicKeyB64);
  });
});

import { createDeviceClient, type DeviceKey, generateDeviceKey } from '@tps/agent';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

// SQLite has one node, whose cached device data is never out of date.
describe.runIf(process.env.TEST_STORE === 'postgres')('a node that has cached the key of a device', () => {
  const service = useTestService();
  const other = useFixture(() => service.startNode(), { close: (node) => node.stop() });

  function clientOf(device: TestDevice, baseUrl: string, key: DeviceKey = device.key) {
    const { deviceId, tenant } = device;
    return createDeviceClient({ baseUrl, ...tenant, deviceId, key });
  }

  test('rejects the device at once when another node has revoked it', async () => {
    const device = await registerTestDevice(service);
    const elsewhere = clientOf(device, other.baseUrl);
    expect((await elsewhere.submitEvent(device.event())).status).toBe(201);
    const { credential } = device.tenant;
    const body = { status: 'revoked' };
    await service.client.send('PATCH', `/devices/${device.deviceId}`, { credential, body });
    await expect(elsewhere.submitEvent(device.event())).rejects.toMatchObject({ code: 'device_revoked' });
  });

  test('rejects the old key and accepts the new one at once when another node has rotated it', async () => {
    const device = await registerTestDevice(service);
    const elsewhere = clientOf(device, other.baseUrl);
    expect((await elsewhere.submitEvent(device.event())).status).toBe(201);
    const newKey = await generateDeviceKey('ed25519');
    await clientOf(device, service.baseUrl).rotateKey(newKey);
    await expect(elsewhere.submitEvent(device.event())).rejects.toMatchObject({ code: 'invalid_signature' });
    const renewed = clientOf(device, other.baseUrl, newKey);
    expect((await renewed.submitEvent(device.event())).status).toBe(201);

    const newest = await generateDeviceKey('ed25519');
    await clientOf(device, service.baseUrl, newKey).rotateKey(newest);
    const event = device.event();
    expect((await clientOf(device, other.baseUrl, newest).submitEvent(event)).status).toBe(201);
  });
});

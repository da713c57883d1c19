import { generateDeviceKey } from '@tps/agent';
import type { Incident } from '@tps/contract';
import { codeOf, registerTestDevice, signedSend } from '@tps/testing/device';
import { type TestTenant, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();

async function listIncidents({ credential }: TestTenant): Promise<Incident[]> {
  const answer = await service.client.send('GET', '/incidents?category=monitoring', { credential });
  return (answer.body as { data: Incident[] }).data;
}

test('ten forged requests for a device open an incident of its tenant, and of no other', async () => {
  const device = await registerTestDevice(service);
  const other = await service.createTenant();
  const forger = { ...device, key: await generateDeviceKey('ed25519') };
  for (let count = 1; count <= 10; count += 1) {
    expect(await listIncidents(service.tenant)).toEqual([]);
    expect(codeOf(await signedSend(service, forger, device.event()))).toBe('invalid_signature');
  }
  // The incident is written after the response.
  await expect.poll(() => listIncidents(service.tenant)).toHaveLength(1);
  expect(await listIncidents(service.tenant)).toMatchObject([
    { category: 'monitoring', device_ids: [device.deviceId] },
  ]);
  expect(await listIncidents(other)).toEqual([]);
  expect((await device.post(device.event())).status).toBe(201);
});

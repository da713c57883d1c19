import { generateDeviceKey } from '@tps/agent';
import type { DeviceHealth } from '@tps/contract';
import { registerTestDevice, signedSend, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';

const HOUR_MS = 3_600_000;
const clock = new ManualClock(Date.now());
const service = useTestService({ clock });

async function createSender(): Promise<TestDevice> {
  return registerTestDevice(service, { tenant: await service.createTenant() });
}

async function read({ deviceId, tenant }: TestDevice): Promise<DeviceHealth> {
  const answer = await service.client.send('GET', `/devices/${deviceId}/health`, tenant);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as DeviceHealth;
}

test('a device that has sent events shows its key, its chain and its recent events', async () => {
  const device = await createSender();
  const other = await registerTestDevice(service, { tenant: device.tenant });
  await other.post(other.event());
  const events = [1, 2, 7].map((sequence) => device.event({ sequence }));
  for (const event of events) await device.post(event);
  const health = await read(device);
  expect(health).toMatchObject({
    status: 'active',
    silent: false,
    silent_after_hours: 24,
    failing_signatures: false,
    key: { type: 'ed25519', bits: 256, replaced_at: null },
    chain: { sequence: 7 },
  });
  expect(health.chain.last_event_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(health.recent).toMatchObject({ complete: true, events: 3 });
  const states = health.recent.chain_states.map(({ state, count, last_event_id: last }) => [
    state,
    count,
    last,
  ]);
  expect(states.sort()).toEqual([
    ['declared_gap', 1, events[2]?.event_id],
    ['linked', 2, events[1]?.event_id],
  ]);
});

test('a device without contact is silent after the configured hours', async () => {
  const device = await createSender();
  onTestFinished(() => clock.advance(-24 * HOUR_MS - 1_000));
  clock.advance(24 * HOUR_MS - 1_000);
  expect((await read(device)).silent).toBe(false);
  clock.advance(2_000);
  expect((await read(device)).silent).toBe(true);
});

test('a device with a gap in its chain shows the incident about it', async () => {
  const device = await createSender();
  await device.post(device.event({ sequence: 1 }));
  const sent = await device.post(device.event({ sequence: 4, previous_event_hash: 'a'.repeat(64) }));
  expect(sent.status, sent.text).toBe(201);
  const health = await read(device);
  expect(health.recent.chain_states.map(({ state }) => state)).toContain('gap');
  expect(health.incidents.length).toBeGreaterThan(0);
});

test('forged requests in its name show, until their incident is resolved', async () => {
  const device = await createSender();
  const forger = { ...device, key: await generateDeviceKey('ed25519') };
  for (let count = 1; count <= 10; count += 1) await signedSend(service, forger, device.event());
  await expect.poll(async () => (await read(device)).failing_signatures).toBe(true);
  const { incidents } = await read(device);
  expect(incidents).toHaveLength(1);
  const body = { status: 'resolved', resolution: 'false_positive' };
  const path = `/incidents/${incidents[0]}`;
  const resolved = await service.client.send('PATCH', path, { ...device.tenant, body });
  expect(resolved.status, resolved.text).toBe(200);
  expect(await read(device)).toMatchObject({ failing_signatures: false, incidents: [] });
});

test('a device of another tenant is not found', async () => {
  const [device, other] = [await createSender(), await createSender()];
  const answer = await service.client.send('GET', `/devices/${device.deviceId}/health`, other.tenant);
  expect(answer.status).toBe(404);
});

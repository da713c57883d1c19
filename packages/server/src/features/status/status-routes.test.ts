import type { Event, ProtectionStatus } from '@tps/contract';
import { registerTestDevice, signedSend, type TestDevice } from '@tps/testing/device';
import { type TestTenant, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const clock = new ManualClock(Date.now());
const service = useTestService({ clock });

async function readStatus(tenant: TestTenant): Promise<ProtectionStatus> {
  const answer = await service.client.send('GET', '/status', { credential: tenant.credential });
  expect(answer.status).toBe(200);
  return answer.body as ProtectionStatus;
}

/** Registers by the service's clock. */
async function register(tenant: TestTenant): Promise<TestDevice> {
  const nowMs = clock.now();
  clock.set(Date.now());
  const device = await registerTestDevice(service, { tenant });
  clock.set(nowMs);
  return device;
}

async function send(device: TestDevice, members: Partial<Event>): Promise<void> {
  const event = device.event({ timestamp: new Date(clock.now()).toISOString(), ...members });
  const signer = { created: Math.floor(clock.now() / 1000) };
  expect((await signedSend(service, device, event, { signer })).status).toBe(201);
}

function patch(tenant: TestTenant, path: string, body: object) {
  return service.client.send('PATCH', path, { credential: tenant.credential, body });
}

test('a tenant without an active device is unprotected', async () => {
  const tenant = await service.createTenant();
  expect(await readStatus(tenant)).toMatchObject({
    status: 'unprotected',
    reasons: ['No device is active'],
    tenant_id: tenant.tenantId,
    devices: { total: 0, active: 0, revoked: 0, online: 0, stale: 0, offline: 0 },
    threats: { active: 0 },
    alerts: { open: 0 },
    incidents: { open: 0, in_progress: 0, on_hold: 0 },
    events: { last_event_at: null, last_24h: 0 },
    components: { store: 'up' },
  });
  const device = await register(tenant);
  expect(await readStatus(tenant)).toMatchObject({
    status: 'protected',
    reasons: [],
    devices: { active: 1 },
  });
  await patch(tenant, `/devices/${device.deviceId}`, { status: 'revoked' });
  const devices = { total: 1, active: 0, revoked: 1, online: 0, stale: 0, offline: 0 };
  expect(await readStatus(tenant)).toMatchObject({ status: 'unprotected', devices });
});

test('a tenant is at risk with an active threat or unresolved incident of high severity', async () => {
  const tenant = await service.createTenant();
  const device = await register(tenant);
  await send(device, { severity: 'medium' });
  expect(await readStatus(tenant)).toMatchObject({
    status: 'protected',
    threats: { active: 1 },
    alerts: { open: 1 },
    incidents: { open: 0 },
  });
  await send(device, { severity: 'high', threat_category: 'deepfake' });
  expect(await readStatus(tenant)).toMatchObject({
    status: 'at_risk',
    reasons: [
      '1 active threat of severity high or critical',
      '1 unresolved incident of severity high or critical',
    ],
    threats: { active: 2 },
    alerts: { open: 2 },
    incidents: { open: 1 },
  });
  const incidents = await service.client.send('GET', '/incidents', { credential: tenant.credential });
  const [incident] = (incidents.body as { data: { id: string }[] }).data;
  await patch(tenant, `/incidents/${incident?.id}`, { status: 'on_hold' });
  expect(await readStatus(tenant)).toMatchObject({ status: 'at_risk', incidents: { open: 0, on_hold: 1 } });
  await patch(tenant, `/incidents/${incident?.id}`, { status: 'resolved', resolution: 'true_positive' });
  expect(await readStatus(tenant)).toMatchObject({
    status: 'protected',
    reasons: [],
    threats: { active: 1 },
    alerts: { open: 1 },
    incidents: { open: 0, in_progress: 0, on_hold: 0 },
  });
});

test('a device is online for 15 minutes after its last contact, stale for a day, then offline', async () => {
  const tenant = await service.createTenant();
  clock.set(Date.now());
  await register(tenant);
  const presence = async () => {
    const { online, stale, offline } = (await readStatus(tenant)).devices;
    return [online, stale, offline];
  };
  // Registration happened a moment ago.
  clock.advance(15 * MINUTE_MS - 5_000);
  expect(await presence()).toEqual([1, 0, 0]);
  clock.advance(10_000);
  expect(await presence()).toEqual([0, 1, 0]);
  clock.advance(DAY_MS - 15 * MINUTE_MS - 10_000);
  expect(await presence()).toEqual([0, 1, 0]);
  clock.advance(10_000);
  expect(await presence()).toEqual([0, 0, 1]);
});

test('the events of the last 24 hours are counted by arrival', async () => {
  const tenant = await service.createTenant();
  clock.set(Date.now());
  const device = await register(tenant);
  const events = async () => (await readStatus(tenant)).events;
  await send(device, { action_taken: 'allow' });
  clock.advance(DAY_MS / 2);
  await send(device, { action_taken: 'allow' });
  await send(device, { action_taken: 'allow', timestamp: new Date(clock.now() - 3 * DAY_MS).toISOString() });
  const lastEventAt = new Date(clock.now()).toISOString();
  expect(await events()).toEqual({ last_event_at: lastEventAt, last_24h: 3 });
  clock.advance(DAY_MS / 2);
  expect(await events()).toEqual({ last_event_at: lastEventAt, last_24h: 3 });
  clock.advance(1);
  expect(await events()).toEqual({ last_event_at: lastEventAt, last_24h: 2 });
  clock.advance(DAY_MS);
  expect(await events()).toEqual({ last_event_at: lastEventAt, last_24h: 0 });
});

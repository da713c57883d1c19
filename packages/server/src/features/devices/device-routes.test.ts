import { createDeviceClient, generateDeviceKey } from '@tps/agent';
import type { Device } from '@tps/contract';
import { codeOf, registerTestDevice } from '@tps/testing/device';
import { listAudit, startTestService, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, onTestFinished, test } from 'vitest';

const service = useTestService();

async function readDevice(deviceId: string) {
  const { credential } = service.tenant;
  return (await service.client.send('GET', `/devices/${deviceId}`, { credential })).body as Device;
}

describe('a device', () => {
  test('is not changed by a body that names only the tenant', async () => {
    const { deviceId } = await registerTestDevice(service);
    const { credential, tenantId } = service.tenant;
    const body = { tenant_id: tenantId };
    const answer = await service.client.send('PATCH', `/devices/${deviceId}`, { credential, body });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_field']);
  });

  test('is renamed, and all other members stay', async () => {
    const { deviceId } = await registerTestDevice(service);
    const before = await readDevice(deviceId);
    const { credential } = service.tenant;
    const body = { name: 'Reception', agent_version: '9.9' };
    const answer = await service.client.send('PATCH', `/devices/${deviceId}`, { credential, body });
    expect(answer.body).toEqual({ ...before, ...body });
    expect(await readDevice(deviceId)).toEqual({ ...before, ...body });
    expect(await listAudit(service, deviceId)).toEqual(['device.register success', 'device.update success']);
  });

  test('is revoked permanently, and a repeat changes nothing', async () => {
    const { deviceId } = await registerTestDevice(service);
    const send = (body: object) =>
      service.client.send('PATCH', `/devices/${deviceId}`, { credential: service.tenant.credential, body });
    const revoked = (await send({ status: 'revoked' })).body as Device;
    expect(revoked.status).toBe('revoked');
    expect(revoked.revoked_at).not.toBeNull();
    expect((await send({ status: 'revoked' })).body).toEqual(revoked);
    const back = await send({ status: 'active' });
    expect([back.status, codeOf(back)]).toEqual([400, 'invalid_field']);
    expect(await listAudit(service, deviceId)).toEqual(['device.register success', 'device.revoke success']);
  });

  test('that does not exist, or belongs to another tenant, is not found', async () => {
    const elsewhere = await registerTestDevice(service, { tenant: await service.createTenant() });
    const { credential } = service.tenant;
    for (const id of ['dev_nobody', elsewhere.deviceId]) {
      for (const [method, body] of [
        ['GET', undefined],
        ['PATCH', { name: 'x' }],
      ] as const) {
        const answer = await service.client.send(method, `/devices/${id}`, { credential, body });
        expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
      }
    }
  });

  test('was last seen when its last accepted request arrived', async () => {
    const clock = new ManualClock(Date.now());
    const still = await startTestService({ clock });
    onTestFinished(() => still.stop());
    const device = await registerTestDevice(still);
    const lastSeen = async () => {
      const answer = await still.client.send('GET', `/devices/${device.deviceId}`, still.tenant);
      return Date.parse((answer.body as Device).last_seen ?? '');
    };
    expect(await lastSeen()).toBe(clock.now());
    clock.advance(5_000);
    expect((await device.post({ ...device.event(), confidence: 7 })).status).toBe(400);
    expect(await lastSeen()).toBe(clock.now() - 5_000);
    expect((await device.post(device.event())).status).toBe(201);
    expect(await lastSeen()).toBe(clock.now());
    clock.advance(5_000);
    const { deviceId, key, tenant } = device;
    const client = createDeviceClient({
      baseUrl: still.baseUrl,
      credential: tenant.credential,
      deviceId,
      tenantId: tenant.tenantId,
      key,
    });
    expect((await client.register({ platform: 'android' })).status).toBe(200);
    expect(await lastSeen()).toBe(clock.now());
  });
});

test('the list of devices is newest first, paged, and filtered by status and platform', async () => {
  const clock = new ManualClock(Date.now());
  const still = await startTestService({ clock });
  onTestFinished(() => still.stop());
  const { credential, tenantId } = still.tenant;
  const made: { id: string; platform: string; status: string }[] = [];
  const key = await generateDeviceKey('ed25519');
  for (const [index, platform] of (
    ['ios', 'android', 'ios', 'linux', 'ios', 'android', 'ios'] as const
  ).entries()) {
    // Some share a time: the id then decides the order.
    if (index % 3 === 0) clock.advance(1);
    const deviceId = `dev_${index}`;
    const client = createDeviceClient({ baseUrl: still.baseUrl, credential, deviceId, tenantId, key });
    await client.register({ platform });
    const status = index % 4 === 2 ? 'revoked' : 'active';
    if (status === 'revoked') {
      await still.client.send('PATCH', `/devices/dev_${index}`, { credential, body: { status } });
    }
    made.unshift({ id: `dev_${index}`, platform, status });
  }
  const listAll = async (filter: string) => {
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const resume = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer = await still.client.send('GET', `/devices?limit=2${filter}${resume}`, { credential });
      const page = answer.body as { data: Device[]; has_more: boolean; next_cursor: string | null };
      expect(page.data.length).toBeLessThanOrEqual(2);
      expect(page.has_more).toBe(page.next_cursor !== null);
      ids.push(...page.data.map((device) => device.device_id));
      cursor = page.next_cursor;
    }
    return ids;
  };
  const idsOf = (matches: (device: (typeof made)[number]) => boolean) =>
    made.filter(matches).map(({ id }) => id);
  expect(await listAll('')).toEqual(idsOf(() => true));
  expect(await listAll('&status=revoked')).toEqual(idsOf(({ status }) => status === 'revoked'));
  expect(await listAll('&platform=ios')).toEqual(idsOf(({ platform }) => platform === 'ios'));
  expect(await listAll('&platform=ios&status=active')).toEqual(
    idsOf(({ platform, status }) => platform === 'ios' && status === 'active'),
  );
  expect(await listAll('&platform=macos')).toEqual([]);
});

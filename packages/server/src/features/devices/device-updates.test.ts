import type { Device, DeviceUpdates } from '@tps/contract';
import { codeOf, createTestEnrolment, enrolTestDevice, registerTestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { type TestTenant, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const secret = useFixture(async () => createTestEnrolment(service));

const send = (
  path: string,
  { credential, etag }: { credential: string; etag?: string },
  method = 'GET',
  body?: object,
) => {
  const headers: Record<string, string> = etag === undefined ? {} : { 'if-none-match': etag };
  return service.client.send(method, path, { credential, headers, ...(body && { body }) });
};

async function createPolicy({ credential }: TestTenant) {
  const body = { name: 'p', threat_categories: ['phishing'], action: 'warn' };
  expect((await send('/policies', { credential }, 'POST', body)).status).toBe(201);
}

async function importIndicator({ credential }: TestTenant, value: string) {
  const indicator = { type: 'domain', value, category: 'phishing', threat_type: 'known_indicator' };
  const body = { source: 'list', indicators: [{ ...indicator, confidence: 1 }] };
  expect((await send('/indicators', { credential }, 'POST', body)).status).toBe(200);
}

/** The tags of the operations that a device reads. */
async function actualTags(credential: string): Promise<DeviceUpdates> {
  const policies = await send('/policies?limit=100', { credential });
  const bundle = await send('/indicators/bundle', { credential });
  return { policies: policies.headers.get('etag'), indicators: bundle.headers.get('etag') };
}

test('the tags are those of the policies and the bundle, and 304 stands for the same tags', async () => {
  const tenant = await service.createTenant();
  const { deviceId } = await registerTestDevice(service, { tenant });
  const path = `/devices/${deviceId}/updates`;
  const { credential } = tenant;
  const before = (await send(`/devices/${deviceId}`, { credential })).body as Device;
  let etag = '';
  for (const change of [
    () => createPolicy(tenant),
    () => importIndicator(tenant, 'a.example'),
    () => createPolicy(tenant),
    () => importIndicator(tenant, 'b.example'),
  ]) {
    await change();
    const answer = await send(path, { credential, etag });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(await actualTags(credential));
    etag = answer.headers.get('etag') ?? '';
    const again = await send(path, { credential, etag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  }
  expect((await send(`/devices/${deviceId}`, { credential })).body).toEqual(before);
});

test('more policies than one page have no tag, because that of the page does not cover them', async () => {
  const tenant = await service.createTenant();
  const { deviceId } = await registerTestDevice(service, { tenant });
  for (let made = 0; made < 100; made += 1) await createPolicy(tenant);
  const read = async () => (await send(`/devices/${deviceId}/updates`, tenant)).body;
  expect(await read()).toEqual(await actualTags(tenant.credential));
  await createPolicy(tenant);
  expect(await read()).toMatchObject({ policies: null, indicators: expect.any(String) });
});

test("a device reads its own tags only, and a token those of its tenant's devices", async () => {
  const [device, other] = [
    await enrolTestDevice(service, secret.secret),
    await enrolTestDevice(service, secret.secret),
  ];
  const stranger = await registerTestDevice(service, { tenant: await service.createTenant() });
  const asDevice = { credential: device.credential.token };
  const read = (id: string, by: { credential: string }) => send(`/devices/${id}/updates`, by);
  expect((await read(device.deviceId, asDevice)).status).toBe(200);
  for (const id of [device.deviceId, other.deviceId]) {
    expect((await read(id, service.tenant)).status).toBe(200);
  }
  for (const [id, by] of [
    [other.deviceId, asDevice],
    ['dev_unknown', asDevice],
    ['dev_unknown', service.tenant],
    [stranger.deviceId, service.tenant],
  ] as const) {
    const answer = await read(id, by);
    expect([answer.status, codeOf(answer)], id).toEqual([404, 'not_found']);
  }
});

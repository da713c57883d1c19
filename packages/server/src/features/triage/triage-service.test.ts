import type { Incident } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { approve, runTriage } from './testing/run-triage.ts';

const service = useTestService();

async function incidentsOf({ tenant: { credential } }: TestDevice): Promise<Incident[]> {
  const answer = await service.client.send('GET', '/incidents', { credential });
  return (answer.body as { data: Incident[] }).data;
}

test('events sent over the API are triaged, and an approval changes the incident', async () => {
  const { database } = service.service;
  const tenant = await service.createTenant();
  const device = await registerTestDevice(service, { tenant });
  const other = await registerTestDevice(service, { tenant });
  const indicators = ['url:sha256:'.padEnd(75, 'a')];
  for (const sender of [device, other, device])
    expect((await sender.post(sender.event({ indicators, confidence: 0.95 }))).status).toBe(201);

  const incidents = await incidentsOf(device);
  const own = incidents.find(({ device_ids }) => device_ids.includes(device.deviceId));
  const triage = await runTriage(database, tenant.tenantId, [own?.id ?? '']);
  expect(triage.outputs.classify.verdict).toBe('likely_genuine');
  expect(triage.artifacts.triage_report).toContain(other.deviceId);
  await approve(database, triage, { nowMs: Date.now(), comment: 'agreed' });

  const after = (await incidentsOf(device)).find(({ id }) => id === own?.id);
  expect(after).toMatchObject({ status: 'resolved', resolution: 'true_positive' });
  expect(after?.timeline.at(-1)?.message).toContain('agreed');
});

test('a later triage of the same incident produces the same bytes despite unrelated events', async () => {
  const { database } = service.service;
  const tenant = await service.createTenant();
  const device = await registerTestDevice(service, { tenant });
  const indicators = ['url:sha256:'.padEnd(75, 'b')];
  expect((await device.post(device.event({ indicators }))).status).toBe(201);
  const [incident] = await incidentsOf(device);
  const first = await runTriage(database, tenant.tenantId, [incident?.id ?? '']);

  // The device sends another event, and another device reports a different threat.
  const harmless = { action_taken: 'allow', severity: 'low', timestamp: new Date().toISOString() } as const;
  expect((await device.post(device.event(harmless))).status).toBe(201);
  const other = await registerTestDevice(service, { tenant });
  expect((await other.post(other.event({ threat_category: 'deepfake' }))).status).toBe(201);
  const second = await runTriage(database, tenant.tenantId, [incident?.id ?? '']);
  expect(second.artifacts).toEqual(first.artifacts);
});

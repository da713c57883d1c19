import type { Incident, ScanResult } from '@tps/contract';
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

test('a scan that finds only the threat of the case is not counted again', async () => {
  const { database } = service.service;
  const tenant = await service.createTenant();
  const device = await registerTestDevice(service, { tenant });
  const url = 'https://parcel-desk.example/pay';
  const sent = await device.post(device.event({ indicators: [url], confidence: 0.95 }));
  expect(sent.status).toBe(201);
  const { credential } = tenant;
  const scan = await service.client.send('POST', '/scan', {
    credential,
    body: { type: 'url', content: url },
  });
  expect(scan.body).toMatchObject({ verdict: 'block', threat_type: 'known_indicator' });

  const [incident] = await incidentsOf(device);
  const { scan_id, findings } = scan.body as ScanResult;
  const triage = await runTriage(database, tenant.tenantId, [incident?.id ?? '', scan_id]);
  const own = findings.every(({ detector }) => detector === 'tenant_indicators');
  const reason = triage.outputs.classify.reasons.find(({ code }) => code === `scan_${scan_id}`);
  expect({ own, points: reason?.points }).toEqual({ own: true, points: 0 });
});

test.each(['pol_agent-default-warn', 'pol_agent-default-block', 'pol_agent-default-allow'])(
  'the fallback policy %s of an agent does not count against a case',
  async (policyId) => {
    const { database } = service.service;
    const tenant = await service.createTenant();
    const device = await registerTestDevice(service, { tenant });
    expect((await device.post(device.event({ policy_id: policyId }))).status).toBe(201);
    const [incident] = await incidentsOf(device);
    const { outputs, artifacts } = await runTriage(database, tenant.tenantId, [incident?.id ?? '']);
    expect(outputs.classify.reasons.filter(({ code }) => code.startsWith('policy_'))).toEqual([]);
    expect(artifacts.triage_report).toContain('built into the agent');
  },
);

test('any other unknown policy counts against a case', async () => {
  const { database } = service.service;
  const tenant = await service.createTenant();
  const device = await registerTestDevice(service, { tenant });
  expect((await device.post(device.event({ policy_id: 'pol_agent-default-other' }))).status).toBe(201);
  const [incident] = await incidentsOf(device);
  const { outputs } = await runTriage(database, tenant.tenantId, [incident?.id ?? '']);
  expect(outputs.classify.reasons).toContainEqual(
    expect.objectContaining({ code: 'policy_state', points: -3 }),
  );
});

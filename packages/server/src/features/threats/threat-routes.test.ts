import type { Event, ProtectionStatus, Threat } from '@tps/contract';
import { codeOf, registerTestDevice, signedSend, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let device: TestDevice;
const clock = new ManualClock(Date.now());
const service = useTestService({ clock });

beforeEach(async () => {
  clock.set(Date.now());
  device = await registerTestDevice(service, { tenant: await service.createTenant() });
});

/** Sends an event with a decision time of now, by the service's clock. */
async function send(members: Partial<Event> = {}, sender = device): Promise<Event> {
  const event = sender.event({
    timestamp: new Date(clock.now()).toISOString(),
    indicators: ['sig:1'],
    ...members,
  });
  const signer = { created: Math.floor(clock.now() / 1000) };
  expect((await signedSend(service, sender, event, { signer })).status).toBe(201);
  return event;
}

async function read<Body>(path: string): Promise<Body> {
  return (await service.client.send('GET', path, device.tenant)).body as Body;
}

const listThreats = (query = '') => read<{ data: Threat[]; total_count: number }>(`/threats${query}`);

describe('a threat', () => {
  test('that was quiet for 7 days is shown as resolved, everywhere', async () => {
    await send();
    const [threat] = (await listThreats()).data;
    clock.advance(7 * DAY_MS - 1);
    expect(await listThreats('?status=active')).toMatchObject({
      total_count: 1,
      data: [{ status: 'active' }],
    });
    expect((await read<ProtectionStatus>('/status')).threats).toEqual({ active: 1 });
    clock.advance(1);
    expect(await listThreats('?status=active')).toMatchObject({ total_count: 0, data: [] });
    expect(await listThreats('?status=resolved')).toMatchObject({
      total_count: 1,
      data: [{ status: 'resolved' }],
    });
    expect(await read(`/threats/${threat?.threat_id}`)).toMatchObject({ status: 'resolved' });
    expect((await read<ProtectionStatus>('/status')).threats).toEqual({ active: 0 });
  });

  test('continues while events are at most a day apart; a longer gap begins another', async () => {
    await send();
    clock.advance(DAY_MS);
    await send();
    expect((await listThreats()).data).toMatchObject([{ event_count: 2 }]);
    clock.advance(DAY_MS + 1);
    await send();
    expect((await listThreats()).data).toMatchObject([{ event_count: 1 }, { event_count: 2 }]);
  });

  test('lasts at most 7 days', async () => {
    for (let day = 0; day <= 7; day += 1) {
      await send();
      clock.advance(DAY_MS);
    }
    await send();
    expect((await listThreats()).data).toMatchObject([{ event_count: 1 }, { event_count: 8 }]);
  });

  test('that was resolved is active again when it recurs within a day', async () => {
    await send();
    const incidents = await read<{ data: { id: string }[] }>('/incidents');
    const body = { status: 'resolved', resolution: 'true_positive' };
    const { credential } = device.tenant;
    await service.client.send('PATCH', `/incidents/${incidents.data[0]?.id}`, { credential, body });
    expect((await listThreats()).data).toMatchObject([{ status: 'resolved' }]);
    clock.advance(DAY_MS);
    await send();
    expect((await listThreats()).data).toMatchObject([{ status: 'active', event_count: 2 }]);
  });

  test('aggregates its events: highest confidence and severity, time range, all indicators', async () => {
    const first = await send({ confidence: 0.4, severity: 'low', action_taken: 'warn', description: 'one' });
    clock.advance(HOUR_MS);
    await send({ confidence: 0.8, severity: 'critical', indicators: ['sig:1', 'sig:2'], description: 'two' });
    clock.advance(HOUR_MS);
    const last = await send({ confidence: 0.6, severity: 'medium', indicators: ['sig:2', 'sig:3'] });
    const { data } = await listThreats();
    expect(data).toEqual([
      {
        threat_id: data[0]?.threat_id,
        threat_category: 'phishing',
        confidence: 0.8,
        severity: 'critical',
        device_id: device.deviceId,
        detected_at: first.timestamp,
        last_seen_at: last.timestamp,
        description: 'one',
        indicators: ['sig:1', 'sig:2', 'sig:3'],
        status: 'active',
        event_count: 3,
      },
    ]);
  });
});

test('threats are listed newest first, paged, counted and filtered', async () => {
  const other = await registerTestDevice(service, { tenant: device.tenant });
  const start = clock.now();
  const severities = ['low', 'high', 'critical', 'high', 'low'] as const;
  for (const [index, severity] of severities.entries()) {
    clock.advance(1_000);
    await send({ severity, indicators: [`sig:${index}`] }, index % 2 === 0 ? device : other);
  }
  const indicators = ({ data }: { data: Threat[] }) => data.map((threat) => threat.indicators[0]);
  expect(indicators(await listThreats())).toEqual(['sig:4', 'sig:3', 'sig:2', 'sig:1', 'sig:0']);
  const first = await read<{ data: Threat[]; next_cursor: string }>('/threats?limit=3');
  expect(first).toMatchObject({ has_more: true, total_count: 5 });
  const second = await listThreats(`?limit=3&cursor=${first.next_cursor}`);
  expect(indicators(second)).toEqual(['sig:1', 'sig:0']);
  expect(second).toMatchObject({ has_more: false, next_cursor: null, total_count: 5 });
  const since = new Date(start + 3_000).toISOString();
  for (const [query, expected] of [
    ['severity=high', ['sig:3', 'sig:1']],
    [`device_id=${other.deviceId}`, ['sig:3', 'sig:1']],
    [`since=${since}`, ['sig:4', 'sig:3', 'sig:2']],
    ['threat_category=deepfake', []],
    ['status=dismissed', []],
  ] as const) {
    const page = await listThreats(`?${query}`);
    expect([indicators(page), page.total_count]).toEqual([expected, expected.length]);
  }
  const unknown = await service.client.send('GET', '/threats/thr_none', device.tenant);
  expect([unknown.status, codeOf(unknown)]).toEqual([404, 'not_found']);
});

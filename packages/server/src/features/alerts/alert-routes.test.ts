import type { Alert, Event, Incident } from '@tps/contract';
import { codeOf, registerTestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const device = useFixture(() => registerTestDevice(service));

async function list<Item>(path: string) {
  const { credential } = device.tenant;
  return (await service.client.send('GET', path, { credential })).body as {
    data: Item[];
    has_more: boolean;
    next_cursor: string | null;
  };
}

async function send(members: Partial<Event>, sender = device): Promise<Event> {
  const event = sender.event(members);
  expect((await sender.post(event)).status).toBe(201);
  return event;
}

test('alerts show their events, and are listed newest first, paged and filtered', async () => {
  const other = await registerTestDevice(service);
  const first = await send({ severity: 'medium', indicators: ['a'] });
  const joined = await send({ severity: 'low', indicators: ['a'] });
  const warned = await send({ severity: 'critical', action_taken: 'warn', threat_category: 'deepfake' });
  const others = await send({ severity: 'high' }, other);
  const { data: all } = await list<Alert>('/alerts');
  expect(all.map((alert) => alert.event_ids)).toEqual([
    [others.event_id],
    [warned.event_id],
    [first.event_id, joined.event_id],
  ]);
  const incidents = (await list<Incident>('/incidents')).data;
  expect(all.map((alert) => alert.incident_id)).toEqual([...incidents.map(({ id }) => id), null]);
  expect(all[1]).toMatchObject({
    tenant_id: device.tenant.tenantId,
    device_id: device.deviceId,
    severity: 'critical',
    title: 'Deepfake warning',
    status: 'open',
    threat_category: 'deepfake',
  });
  expect(incidents.map((incident) => incident.alert_ids)).toEqual([[all[0]?.alert_id], [all[1]?.alert_id]]);
  expect(incidents.map((incident) => incident.timeline.map(({ kind }) => kind))).toEqual(
    Array(2).fill(['opened', 'alert_joined']),
  );

  const page = await list<Alert>('/alerts?limit=2');
  const rest = await list<Alert>(`/alerts?limit=2&cursor=${page.next_cursor}`);
  expect([...page.data, ...rest.data]).toEqual(all);
  expect([page.has_more, rest.has_more, rest.next_cursor]).toEqual([true, false, null]);
  for (const [query, expected] of [
    ['severity=critical', [all[1]]],
    [`device_id=${other.deviceId}`, [all[0]]],
    [`incident_id=${incidents[1]?.id}`, [all[1]]],
    ['status=resolved', []],
    ['status=open', all],
  ] as const) {
    expect((await list<Alert>(`/alerts?${query}`)).data, query).toEqual(expected);
  }
  for (const alert of all) expect(await list(`/alerts/${alert.alert_id}`)).toEqual(alert);
});

test('an alert of another tenant is not found', async () => {
  const elsewhere = await registerTestDevice(service, { tenant: await service.createTenant() });
  await send({}, elsewhere);
  const theirs = await service.client.send('GET', '/alerts', elsewhere.tenant);
  const [alert] = (theirs.body as { data: Alert[] }).data;
  for (const id of [alert?.alert_id, 'alr_none']) {
    const answer = await service.client.send('GET', `/alerts/${id}`, device.tenant);
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
  }
  expect((await list<Alert>('/alerts')).data).not.toContainEqual(alert);
});

import type { Action, Alert, AuditEntry, Event, Incident, Severity, Threat } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { beforeEach, describe, expect, test } from 'vitest';

const OPEN = { status: 'open', resolution: null };
const FALSE_ALARM = { status: 'resolved', resolution: 'false_positive' };
let device: TestDevice;

// After two hours a threat has ended, and its alert has not.
const service = useTestService({
  env: { SERVICE_THREAT_GAP_HOURS: '1', SERVICE_ALERT_MERGE_MINUTES: '240' },
});

beforeEach(async () => {
  device = await registerTestDevice(service, { tenant: await service.createTenant() });
});

async function list<Item>(path: string): Promise<Item[]> {
  const { credential } = device.tenant;
  return ((await service.client.send('GET', path, { credential })).body as { data: Item[] }).data;
}

async function incidents(): Promise<Incident[]> {
  return list<Incident>('/incidents');
}

async function onlyIncident(): Promise<Incident> {
  const [incident, ...others] = await incidents();
  expect(others).toEqual([]);
  if (!incident) throw new Error('there is no incident');
  return incident;
}

async function send(members: Partial<Event> = {}): Promise<string> {
  const event = device.event({ indicators: ['sig:1'], severity: 'high', ...members });
  expect((await device.post(event)).status).toBe(201);
  return event.event_id;
}

function correct(eventId: string, action: Action, severity: Severity = 'low'): Promise<string> {
  return send({ corrects_event_id: eventId, action_taken: action, severity });
}

async function patch(id: string, body: object): Promise<void> {
  const { credential } = device.tenant;
  expect((await service.client.send('PATCH', `/incidents/${id}`, { credential, body })).status).toBe(200);
}

async function audited(): Promise<Pick<AuditEntry, 'actor' | 'detail'>[]> {
  const rows = await service.service.database.read.db
    .selectFrom('audit_entries')
    .select(['actor_type', 'actor_id', 'detail'])
    .where('tenant_id', '=', device.tenant.tenantId)
    .where('action', '=', 'incident.update')
    .orderBy('audit_id')
    .execute();
  return rows.map((row) => ({
    actor: { type: row.actor_type as AuditEntry['actor']['type'], id: row.actor_id },
    detail: row.detail,
  }));
}

test('an incident whose only event is corrected to allow is resolved by the service', async () => {
  const eventId = await send();
  const { version } = await onlyIncident();
  const correctionId = await correct(eventId, 'allow');
  const incident = await onlyIncident();
  expect(incident).toMatchObject({ ...FALSE_ALARM, version: version + 1 });
  expect(incident.timeline.at(-1)).toMatchObject({
    kind: 'correction',
    actor: 'service',
    message: `Event ${eventId} corrected to allow, severity low, by ${correctionId}. Status from open to resolved as false_positive`,
  });
  expect(await audited()).toEqual([
    {
      actor: { type: 'service', id: 'service' },
      detail: `Status from open to resolved as false_positive, because of the correction ${correctionId}`,
    },
  ]);
});

test('an incident stays open until its last event of high severity is corrected to allow', async () => {
  const first = await send();
  const second = await send({ indicators: ['sig:2'] });
  const third = await send({ indicators: ['sig:2'], severity: 'critical' });
  await send({ indicators: ['sig:2'], severity: 'medium' });
  for (const eventId of [first, third]) {
    await correct(eventId, 'allow');
    expect(await onlyIncident()).toMatchObject(OPEN);
  }
  await correct(second, 'allow');
  expect(await onlyIncident()).toMatchObject(FALSE_ALARM);
  // The block of medium severity still counts.
  expect((await list<Alert>('/alerts?status=open')).map(({ severity }) => severity)).toEqual(['medium']);
  expect((await list<Threat>('/threats?status=active')).map(({ severity }) => severity)).toEqual(['medium']);
});

test('a correction that only weakens the last event leaves the incident open', async () => {
  const eventId = await send();
  await correct(eventId, 'warn');
  expect(await onlyIncident()).toMatchObject(OPEN);
});

describe('an incident that a person has taken stays open', () => {
  test.each([
    ['moved', { status: 'in_progress' }],
    ['assigned', { assignee: 'Kim' }],
    ['commented on', { comment: 'I am looking into it' }],
  ])('if they %s it', async (_, change) => {
    const eventId = await send();
    const { id } = await onlyIncident();
    await patch(id, change);
    const { status, resolution } = await onlyIncident();
    await correct(eventId, 'allow');
    expect(await onlyIncident()).toMatchObject({ status, resolution });
    expect(await audited()).toHaveLength(1);
  });
});

describe('a correction that reverts a correction', () => {
  test('opens the incident again, and another one ends it again', async () => {
    const eventId = await send();
    const { id } = await onlyIncident();
    await correct(eventId, 'allow');
    const again = await correct(eventId, 'block', 'critical');
    const reopened = await onlyIncident();
    expect(reopened).toMatchObject({ ...OPEN, id, severity: 'critical' });
    expect(reopened.timeline.some(({ message }) => message.endsWith('. Status from resolved to open'))).toBe(
      true,
    );
    const [alert] = await list<Alert>('/alerts?status=open');
    expect(alert).toMatchObject({ incident_id: id, event_ids: [again] });
    expect(reopened.alert_ids).toContain(alert?.alert_id);

    await correct(eventId, 'allow');
    expect(await onlyIncident()).toMatchObject(FALSE_ALARM);
    expect(await audited()).toHaveLength(3);
  });

  test('opens it again if the alert stayed open for a milder event', async () => {
    const eventId = await send();
    const milder = await send({ severity: 'low' });
    await correct(eventId, 'allow');
    expect(await onlyIncident()).toMatchObject(FALSE_ALARM);
    await correct(milder, 'block', 'high');
    expect(await onlyIncident()).toMatchObject(OPEN);
  });

  test('opens it again after a correction that only warned in between', async () => {
    const eventId = await send();
    for (const action of ['allow', 'warn'] as const) await correct(eventId, action);
    expect(await onlyIncident()).toMatchObject(FALSE_ALARM);
    await correct(eventId, 'warn', 'high');
    expect(await onlyIncident()).toMatchObject(OPEN);
  });

  test.each<[string, object]>([
    ['resolved', { status: 'resolved', resolution: 'false_positive' }],
    ['closed', { status: 'closed' }],
    ['commented on', { comment: 'agreed' }],
  ])('opens another incident if a person has %s the first', async (what, change) => {
    const eventId = await send();
    const { id } = await onlyIncident();
    if (what === 'resolved') await patch(id, change);
    await correct(eventId, 'allow');
    if (what !== 'resolved') await patch(id, change);
    await correct(eventId, 'block', 'high');
    expect(await incidents()).toMatchObject([OPEN, { id }]);
    expect((await incidents())[1]?.status).not.toBe('open');
  });

  test('of another category does not open it again', async () => {
    const eventId = await send();
    await correct(eventId, 'allow');
    await send({ corrects_event_id: eventId, threat_category: 'deepfake' });
    expect(await incidents()).toMatchObject([{ ...OPEN, category: 'deepfake' }, FALSE_ALARM]);
  });
});

test('a new event after a withdrawn one opens another incident', async () => {
  await correct(await send(), 'allow');
  await send();
  expect(await incidents()).toMatchObject([OPEN, FALSE_ALARM]);
});

test('a correction to high severity brings its own threat into the incident of its alert', async () => {
  await send({ timestamp: new Date(Date.now() - 2 * 3_600_000).toISOString() });
  const milder = await send({ severity: 'low' });
  const threats = await list<Threat>('/threats');
  expect(threats).toHaveLength(2);
  expect((await onlyIncident()).threat_ids).toHaveLength(1);
  await correct(milder, 'block', 'high');
  expect(new Set((await onlyIncident()).threat_ids)).toEqual(
    new Set(threats.map(({ threat_id }) => threat_id)),
  );
});

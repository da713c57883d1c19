import type { Alert, Event, Incident, Threat } from '@tps/contract';
import { codeOf, registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { beforeEach, describe, expect, test } from 'vitest';

let device: TestDevice;

const service = useTestService();

beforeEach(async () => {
  device = await registerTestDevice(service, { tenant: await service.createTenant() });
});

async function read<Item>(path: string): Promise<Item> {
  const { credential } = device.tenant;
  return (await service.client.send('GET', path, { credential })).body as Item;
}

async function list<Item>(path: string): Promise<Item[]> {
  return (await read<{ data: Item[] }>(path)).data;
}

/** Sends an event and returns the only incident. */
async function openIncident(members: Partial<Event> = {}): Promise<Incident> {
  await device.post(device.event({ indicators: ['sig:1'], ...members }));
  const [incident] = await list<Incident>('/incidents');
  if (!incident) throw new Error('the event opened no incident');
  return incident;
}

function patch(id: string, body: object, headers: Record<string, string> = {}) {
  const { credential } = device.tenant;
  return service.client.send('PATCH', `/incidents/${id}`, { credential, body, headers });
}

describe('PATCH /incidents/{id}', () => {
  test('rejects a body that names only the tenant', async () => {
    const { id } = await openIncident();
    const answer = await patch(id, { tenant_id: device.tenant.tenantId });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_field']);
  });

  test('changes what it names, raises the version, and adds timeline and audit entries', async () => {
    const before = await openIncident();
    const body = {
      status: 'in_progress',
      assignee: 'Kim',
      severity: 'critical',
      tags: ['a', 'b'],
      comment: 'mine',
    };
    const answer = await patch(before.id, body);
    const after = answer.body as Incident;
    expect(after).toMatchObject({
      status: 'in_progress',
      assignee: 'Kim',
      severity: 'critical',
      tags: ['a', 'b'],
      version: before.version + 1,
    });
    expect(answer.headers.get('etag')).toBe(`"${after.version}"`);
    const entry = after.timeline.at(-1);
    expect(entry?.kind).toBe('changed');
    for (const word of ['in_progress', 'critical', 'Kim', 'a, b', 'mine'])
      expect(entry?.message).toContain(word);
    expect(await read(`/incidents/${before.id}`)).toEqual(after);
    expect((await patch(before.id, { assignee: null })).body).toMatchObject({ assignee: null });
    const audited = await service.service.database.read.db
      .selectFrom('audit_entries')
      .select('action')
      .where('resource_id', '=', before.id)
      .execute();
    expect(audited.map(({ action }) => action)).toEqual(['incident.update', 'incident.update']);
  });

  test('with the current status responds with 200 and has no effect', async () => {
    const before = await openIncident();
    const answer = await patch(before.id, { status: 'open' });
    expect([answer.status, answer.body]).toEqual([200, before]);
  });

  test('honours If-Match, and a rejected change changes nothing', async () => {
    const before = await openIncident();
    const etag = `"${before.version}"`;
    const stale = await patch(before.id, { assignee: 'Kim' }, { 'if-match': `"${before.version + 1}"` });
    expect([stale.status, codeOf(stale)]).toEqual([412, 'version_mismatch']);
    expect(await read(`/incidents/${before.id}`)).toEqual(before);
    expect((await patch(before.id, { assignee: 'Kim' }, { 'if-match': etag })).status).toBe(200);
    expect((await patch(before.id, { assignee: 'Lee' }, { 'if-match': etag })).status).toBe(412);
    expect((await patch(before.id, { assignee: 'Lee' }, { 'if-match': '*' })).status).toBe(200);
  });

  test.each<[string, object[], object]>([
    ['to resolved without a resolution', [], { status: 'resolved' }],
    ['from open to closed as a true positive', [], { status: 'closed', resolution: 'true_positive' }],
    ['from in_progress to closed', [{ status: 'in_progress' }], { status: 'closed', resolution: 'test' }],
    ['from on_hold to open', [{ status: 'on_hold' }], { status: 'open' }],
    [
      'back without a comment',
      [{ status: 'resolved', resolution: 'inconclusive' }],
      { status: 'in_progress' },
    ],
    ['away from closed', [{ status: 'closed', resolution: 'test' }], { status: 'open', comment: 'again' }],
    ['nowhere with a resolution', [], { resolution: 'test' }],
  ])('rejects the transition %s', async (_, steps, body) => {
    const { id } = await openIncident();
    for (const step of steps) expect((await patch(id, step)).status).toBe(200);
    const before = await read(`/incidents/${id}`);
    const refused = await patch(id, body);
    expect([refused.status, codeOf(refused)]).toEqual([422, 'invalid_state_transition']);
    expect(await read(`/incidents/${id}`)).toEqual(before);
  });

  test('rejects an empty change and an unknown or foreign incident', async () => {
    const { id } = await openIncident();
    const empty = await patch(id, {});
    expect([empty.status, codeOf(empty)]).toEqual([400, 'invalid_field']);
    device = await registerTestDevice(service, { tenant: await service.createTenant() });
    for (const unknown of [id, 'inc_none']) {
      const answer = await patch(unknown, { status: 'on_hold' });
      expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
    }
  });
});

describe('the resolution of an incident', () => {
  test.each([
    ['true_positive', 'resolved'],
    ['false_positive', 'dismissed'],
    ['benign_expected', 'dismissed'],
    ['test', 'dismissed'],
    ['duplicate', 'active'],
    ['inconclusive', 'active'],
  ] as const)('%s makes its threats %s, and resolves its alerts', async (resolution, status) => {
    const { id } = await openIncident();
    expect((await patch(id, { status: 'resolved', resolution })).status).toBe(200);
    const [threats, alerts] = [await list<Threat>('/threats'), await list<Alert>('/alerts')];
    expect(threats.map((threat) => threat.status)).toEqual([status]);
    expect(alerts.map((alert) => [alert.status, alert.incident_id])).toEqual([['resolved', id]]);
  });

  test('ends only the threats and alerts of this incident', async () => {
    const { id } = await openIncident();
    await device.post(device.event({ threat_category: 'deepfake' }));
    await patch(id, { status: 'resolved', resolution: 'false_positive' });
    const threats = await list<Threat>('/threats');
    expect(threats.map((threat) => [threat.threat_category, threat.status])).toEqual([
      ['deepfake', 'active'],
      ['phishing', 'dismissed'],
    ]);
    expect((await list<Alert>('/alerts?status=open')).map((alert) => alert.threat_category)).toEqual([
      'deepfake',
    ]);
  });

  test('a true positive is reactivated when the threat recurs; a dismissed one is not', async () => {
    const first = await openIncident();
    await patch(first.id, { status: 'resolved', resolution: 'true_positive' });
    const second = await openIncident();
    expect(second.id).not.toBe(first.id);
    expect(await list<Threat>('/threats')).toMatchObject([{ status: 'active', event_count: 2 }]);
    await patch(second.id, { status: 'resolved', resolution: 'false_positive' });
    await openIncident();
    expect(await list<Threat>('/threats')).toMatchObject([
      { status: 'active', event_count: 1 },
      { status: 'dismissed', event_count: 2 },
    ]);
  });
});

test('concurrent changes by people and events do not overwrite each other', async () => {
  const { id, version } = await openIncident();
  const events = 20;
  const [changed] = await Promise.all([
    Promise.all(Array.from({ length: 10 }, (_, index) => patch(id, { comment: `note ${index}` }))),
    Promise.all(Array.from({ length: events }, () => device.post(device.event()))),
  ]);
  expect(changed.every(({ status }) => status === 200)).toBe(true);
  const after = await read<Incident>(`/incidents/${id}`);
  expect(after.version).toBe(version + 10 + events);
  expect(after.alert_ids).toHaveLength(1 + events);
  const notes = after.timeline.filter(({ kind }) => kind === 'changed').map(({ message }) => message);
  expect(notes.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `Comment: note ${index}`));
  const versions = changed.map(({ headers }) => headers.get('etag'));
  expect(new Set(versions).size).toBe(10);
});

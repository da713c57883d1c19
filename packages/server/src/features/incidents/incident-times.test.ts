import type { Incident, IncidentStatus } from '@tps/contract';
import { INCIDENT_MOVES } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, expect, test } from 'vitest';

const clock = new ManualClock(Date.now());
let device: TestDevice;
let id: string;

const service = useTestService({ clock });

beforeEach(async () => {
  device = await registerTestDevice(service, { tenant: await service.createTenant() });
  await device.post(device.event({ event_id: 'evt_first' }));
  id = (await newest()).id;
});

async function newest(): Promise<Incident> {
  const answer = await service.client.send('GET', '/incidents', { credential: device.tenant.credential });
  return (answer.body as { data: [Incident] }).data[0];
}

/** Changes the incident a second later. Returns when it was taken and ended: now, or before. */
async function change(body: object) {
  clock.advance(1_000);
  const { credential } = device.tenant;
  const answer = await service.client.send('PATCH', `/incidents/${id}`, { credential, body });
  return times(answer.body as Incident);
}

function times({
  acknowledged_at: acknowledgedAt,
  resolved_at: resolvedAt,
  updated_at: updatedAt,
}: Incident) {
  const when = (time: string | null) => time && (time === updatedAt ? 'now' : 'before');
  return [when(acknowledgedAt), when(resolvedAt)];
}

test('an incident is acknowledged by its first assignment or move, and resolved by each end', async () => {
  expect(times(await newest())).toEqual([null, null]);
  expect(await change({ comment: 'looks odd', severity: 'low' })).toEqual([null, null]);
  expect(await change({ assignee: 'Kim' })).toEqual(['now', null]);
  expect(await change({ status: 'in_progress' })).toEqual(['before', null]);
  expect(await change({ status: 'resolved', resolution: 'inconclusive' })).toEqual(['before', 'now']);
  expect(await change({ status: 'closed' })).toEqual(['before', 'before']);
});

test('an incident that is resolved at once is acknowledged then; reopened, it is not resolved', async () => {
  expect(await change({ status: 'resolved', resolution: 'inconclusive' })).toEqual(['now', 'now']);
  expect(await change({ status: 'in_progress', comment: 'again' })).toEqual(['before', null]);
  expect(await change({ status: 'resolved', resolution: 'inconclusive' })).toEqual(['before', 'now']);
});

test('an incident that a correction ends and reopens was acknowledged by no person', async () => {
  clock.advance(1_000);
  await device.post(device.event({ corrects_event_id: 'evt_first', action_taken: 'allow' }));
  expect(await newest()).toMatchObject({ status: 'resolved' });
  expect(times(await newest())).toEqual([null, 'now']);
  clock.advance(1_000);
  await device.post(device.event({ corrects_event_id: 'evt_first' }));
  expect(await newest()).toMatchObject({ status: 'open' });
  expect(times(await newest())).toEqual([null, null]);
});

test.each<[IncidentStatus, object[]]>([
  ['open', []],
  ['on_hold', [{ status: 'on_hold' }]],
  ['resolved', [{ status: 'resolved', resolution: 'test' }]],
  ['closed', [{ status: 'closed', resolution: 'test' }]],
])('the moves that an incident lists while it is %s are those that succeed', async (status, steps) => {
  for (const step of steps) await change(step);
  const { allowed_moves: moves } = await newest();
  expect(moves).toEqual(INCIDENT_MOVES[status]);
  for (const { status: to, requires, resolutions } of moves) {
    clock.advance(1_000);
    await device.post(device.event({ threat_category: 'deepfake', event_id: `evt_${status}_${to}` }));
    id = (await newest()).id;
    for (const step of steps) await change(step);
    if (requires !== null) {
      await change({ status: to });
      expect((await newest()).status, 'it lacks what is required').toBe(status);
    }
    await change({
      status: to,
      ...(requires === 'comment' && { comment: 'why' }),
      ...(requires === 'resolution' && { resolution: resolutions[0] }),
    });
    expect((await newest()).status).toBe(to);
    await change({ status: 'resolved', resolution: 'test' });
    await change({ status: 'closed' });
  }
});

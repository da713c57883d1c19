import type { Event, Incident, Statistics, StatisticsMeasure } from '@tps/contract';
import { registerTestDevice, signedSend, type TestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { createContractClient, type TestTenant, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, describe, expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const clock = new ManualClock(Date.now());
const service = useTestService({ clock });
const tenant = useFixture(() => service.createTenant(), { scope: 'test' });

/** Each test begins at 10:00 of a separate day. */
beforeEach(() => clock.set((Math.floor(clock.now() / DAY_MS) + 2) * DAY_MS + 10 * HOUR_MS));

/** Registers by the clock of the machine, which signs the request. */
async function register(of: TestTenant = tenant): Promise<TestDevice> {
  const nowMs = clock.now();
  clock.set(Date.now());
  const device = await registerTestDevice(service, { tenant: of });
  clock.set(nowMs);
  return device;
}

function eventOf(device: TestDevice, members: Partial<Event> = {}): Event {
  return device.event({ timestamp: new Date(clock.now()).toISOString(), ...members });
}

async function post(device: TestDevice, body: object, path = '/events') {
  const signer = { created: Math.floor(clock.now() / 1000) };
  const answer = await signedSend(service, device, body, { path, signer });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

async function read(query: Record<string, string> = {}, of: TestTenant = tenant): Promise<Statistics> {
  const answer = await service.client.send('GET', `/statistics?${new URLSearchParams(query)}`, {
    credential: of.credential,
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Statistics;
}

/** The values of a series of the last hours. */
function valuesOf(
  { series }: Statistics,
  measure: StatisticsMeasure,
  key: string | null = null,
): readonly number[] | undefined {
  return series.find((each) => each.measure === measure && each.key === key)?.values;
}

const lastHours = (hours: number) => ({
  since: new Date(clock.now() - (hours - 1) * HOUR_MS).toISOString(),
  interval: 'hour',
});

describe('events', () => {
  test('count once by category, action, severity and platform in the hour of their arrival', async () => {
    const device = await register();
    await post(
      device,
      eventOf(device, { threat_category: 'phishing', action_taken: 'block', severity: 'high' }),
    );
    clock.advance(HOUR_MS);
    const longAgo = new Date(clock.now() - 30 * DAY_MS).toISOString();
    const late = eventOf(device, {
      timestamp: longAgo,
      threat_category: 'deepfake',
      action_taken: 'allow',
      severity: 'low',
      metadata: { device_platform: 'ios' },
    });
    await post(device, late);
    await post(device, late);
    const counts = await read({ ...lastHours(2), breakdown: 'category,action,severity,platform' });
    expect(counts.interval).toBe('hour');
    expect(valuesOf(counts, 'events')).toEqual([1, 1]);
    expect(valuesOf(counts, 'events', 'phishing')).toEqual([1, 0]);
    expect(valuesOf(counts, 'events', 'deepfake')).toEqual([0, 1]);
    expect(valuesOf(counts, 'events', 'block')).toEqual([1, 0]);
    expect(valuesOf(counts, 'events', 'allow')).toEqual([0, 1]);
    expect(valuesOf(counts, 'events', 'high')).toEqual([1, 0]);
    expect(valuesOf(counts, 'events', 'unknown')).toEqual([1, 0]);
    expect(valuesOf(counts, 'events', 'ios')).toEqual([0, 1]);
    expect(valuesOf(counts, 'alerts', 'phishing')).toEqual([1, 0]);
    expect(valuesOf(counts, 'incidents_opened')).toEqual([1, 0]);
  });

  test('of a batch count if they are stored; duplicates and refused ones do not', async () => {
    const device = await register();
    const [first, second] = [eventOf(device), eventOf(device)];
    await post(device, { events: [first, second, first] }, '/events/batch');
    const changed = { ...second, severity: 'critical' };
    await post(device, { events: [first, changed, eventOf(device)] }, '/events/batch');
    expect(valuesOf(await read(lastHours(1)), 'events')).toEqual([3]);
  });

  test('that correct another one count as events and as corrections, and open no second alert', async () => {
    const device = await register();
    const root = eventOf(device, { action_taken: 'block', severity: 'high' });
    await post(device, root);
    clock.advance(HOUR_MS);
    await post(
      device,
      eventOf(device, {
        ...root,
        event_id: 'evt_fix',
        action_taken: 'warn',
        corrects_event_id: root.event_id,
      }),
    );
    const counts = await read(lastHours(2));
    expect(valuesOf(counts, 'events')).toEqual([1, 1]);
    expect(valuesOf(counts, 'corrections')).toEqual([0, 1]);
    expect(valuesOf(counts, 'alerts')).toEqual([1, 0]);
    expect(valuesOf(counts, 'incidents_opened')).toEqual([1, 0]);
  });
});

test('a device is active once per hour and once per UTC day', async () => {
  const [one, other] = [await register(), await register()];
  await post(one, { events: [eventOf(one), eventOf(one)] }, '/events/batch');
  await post(other, eventOf(other));
  clock.advance(HOUR_MS);
  await post(one, eventOf(one));
  await post(one, eventOf(one));
  expect(valuesOf(await read(lastHours(2)), 'devices')).toEqual([2, 1]);
  clock.advance(DAY_MS);
  await post(one, eventOf(one));
  const since = new Date(clock.now() - DAY_MS).toISOString();
  const days = await read({ since, interval: 'day' });
  expect(days.starts.map((start) => start.slice(11))).toEqual(['00:00:00.000Z', '00:00:00.000Z']);
  expect(valuesOf(days, 'devices')).toEqual([2, 1]);
  expect(days.series.find(({ measure }) => measure === 'devices')?.total).toBeNull();
});

describe('incidents', () => {
  async function openIncident(): Promise<string> {
    const device = await register();
    await post(device, eventOf(device, { action_taken: 'block', severity: 'high' }));
    const { body } = await service.client.send('GET', '/incidents', { credential: tenant.credential });
    return (body as { data: Incident[] }).data[0]?.id ?? '';
  }
  const change = async (id: string, body: object) => {
    const answer = await service.client.send('PATCH', `/incidents/${id}`, {
      credential: tenant.credential,
      body,
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Incident;
  };

  test('count when they are first acknowledged and first resolved, with the time since they opened', async () => {
    const id = await openIncident();
    clock.advance(10 * MINUTE_MS);
    expect(await change(id, { comment: 'Looking' })).toMatchObject({ acknowledged_at: null });
    const taken = await change(id, { status: 'in_progress' });
    expect(taken.acknowledged_at).toBe(new Date(clock.now()).toISOString());
    clock.advance(2 * HOUR_MS);
    const resolved = await change(id, { status: 'resolved', resolution: 'true_positive' });
    expect(resolved).toMatchObject({ acknowledged_at: taken.acknowledged_at });
    await change(id, { status: 'in_progress', comment: 'Not over' });
    clock.advance(HOUR_MS);
    await change(id, { status: 'resolved', resolution: 'true_positive' });

    const counts = await read({ ...lastHours(4), breakdown: 'category' });
    expect(valuesOf(counts, 'incidents_opened', 'phishing')).toEqual([1, 0, 0, 0]);
    expect(valuesOf(counts, 'incidents_acknowledged')).toEqual([1, 0, 0, 0]);
    expect(valuesOf(counts, 'incidents_resolved', 'phishing')).toEqual([0, 0, 1, 0]);
    expect(counts.time_to_acknowledge).toMatchObject({ count: 1, mean_s: 600 });
    expect(counts.time_to_resolve).toMatchObject({ count: 1, mean_s: 7_800 });
    expect(counts.time_to_resolve?.classes.filter(({ count }) => count > 0)).toEqual([
      { up_to_s: 14_400, count: 1 },
    ]);
  });

  test('that a person resolves at once are acknowledged at that time', async () => {
    const id = await openIncident();
    clock.advance(MINUTE_MS);
    await change(id, { status: 'resolved', resolution: 'false_positive' });
    const counts = await read(lastHours(1));
    expect(counts.time_to_acknowledge).toMatchObject({ count: 1, mean_s: 60, p50_s: 150 });
    expect(counts.time_to_resolve).toMatchObject({ count: 1, mean_s: 60 });
  });
});

test('a scan counts by its verdict, and once for a repeated request', async () => {
  const send = (key: string) =>
    service.client.send('POST', '/scan', {
      credential: tenant.credential,
      body: { type: 'text', content: 'See you at eight' },
      headers: { 'idempotency-key': key },
    });
  expect((await send('one')).status).toBe(200);
  expect((await send('one')).status).toBe(200);
  expect((await send('two')).status).toBe(200);
  const counts = await read({ ...lastHours(1), measures: 'scans', breakdown: 'verdict' });
  expect(counts.series.map(({ key, values }) => [key, ...values])).toEqual([
    [null, 2],
    ['allow', 2],
    ['warn', 0],
    ['block', 0],
  ]);
});

test('a tenant sees its own counts only', async () => {
  const device = await register();
  await post(device, eventOf(device));
  const other = await service.createTenant();
  expect(valuesOf(await read(lastHours(1), other), 'events')).toEqual([0]);
});

describe('a request', () => {
  const send = (query: string, credential: string | undefined = tenant.credential) =>
    service.client.send('GET', `/statistics${query}`, { credential });

  test('covers the last 7 days by default, in hours, with every measure', async () => {
    const counts = await read();
    expect(counts.starts).toHaveLength(7 * 24 + 1);
    expect(new Set(counts.series.map(({ measure }) => measure)).size).toBe(11);
    expect(counts.until).toBe(new Date(clock.now() + HOUR_MS).toISOString());
  });

  test.each([
    ['?measures=events,nothing', 'measures'],
    ['?breakdown=colour', 'breakdown'],
    ['?interval=minute', 'interval'],
    ['?since=yesterday', 'since'],
    ['?since=2026-01-01T00:00:00Z&interval=hour', 'hours; at most 750 are allowed'],
  ])('with %s is refused', async (query, message) => {
    const answer = await send(query);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: { code: 'invalid_parameter', message: expect.stringContaining(message) },
    });
  });

  test('needs a credential with the scope status:read', async () => {
    const anonymous = createContractClient(service.baseUrl);
    expect((await anonymous.send('GET', '/statistics', {})).status).toBe(401);
    const without = await service.createCredential(tenant.tenantId, ['events:read']);
    expect((await send('', without)).status).toBe(403);
  });
});

import type { Event, NewPolicySimulation, PolicySimulation } from '@tps/contract';
import { STATUS_POLICY_ID } from '@tps/contract/decision';
import { registerTestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { type TestAnswer, type TestTenant, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';

const clock = new ManualClock(Date.now());
const service = useTestService({ clock });
/** A tenant with one device. Each test that changes policies or counts events makes its own. */
const scene = useFixture(() => createScene());

interface Scene {
  readonly tenant: TestTenant;
  readonly deviceId: string;
  /** Sends a phishing event, with members replaced. Returns it. */
  send(members?: Partial<Event>): Promise<Event>;
  simulate(body: NewPolicySimulation): Promise<PolicySimulation>;
  createPolicy(members?: object): Promise<string>;
}

async function createScene(): Promise<Scene> {
  const tenant = await service.createTenant();
  const device = await registerTestDevice(service, { tenant });
  const { credential } = tenant;
  return {
    tenant,
    deviceId: device.deviceId,
    send: async (members) => {
      const event = device.event(members);
      expect((await device.post(event)).status).toBe(201);
      return event;
    },
    simulate: async (body) => {
      const answer = await send(body, credential);
      expect(answer.status, answer.text).toBe(200);
      return answer.body as PolicySimulation;
    },
    createPolicy: async (members = {}) => {
      const body = { ...policy, ...members };
      const answer = await service.client.send('POST', '/policies', { credential, body });
      return (answer.body as { policy_id: string }).policy_id;
    },
  };
}

const policy = { name: 'Phishing', threat_categories: ['phishing'], action: 'block' } as const;
const aPolicy: NewPolicySimulation = { policy: { ...policy, threat_categories: ['phishing'] } };

function send(body: object, credential: string): Promise<TestAnswer> {
  return service.client.send('POST', '/policies/simulate', { credential, body });
}

function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect(answer.body).toMatchObject({ error: { status, code } });
}

describe('a simulation', () => {
  test('counts what a new policy changes, and lists the events newest first', async () => {
    const { send: sendEvent, simulate, deviceId } = await createScene();
    await sendEvent({ confidence: 0.4, action_taken: 'allow' });
    const warned = await sendEvent({ confidence: 0.7, action_taken: 'warn', severity: 'medium' });
    const newest = await sendEvent({ confidence: 0.8, action_taken: 'warn' });
    await sendEvent({ confidence: 0.95, action_taken: 'block' });
    await sendEvent({ confidence: 0.95, threat_category: 'deepfake' });

    const outcome = await simulate({ policy: { ...aPolicy.policy, confidence_threshold: 0.6 } as never });
    expect(outcome).toMatchObject({
      read: 5,
      complete: true,
      matched: 4,
      left_out: 0,
      taken: { allow: 1, warn: 2, block: 1 },
      before: { allow: 1, warn: 2, block: 1 },
      after: { allow: 1, warn: 0, block: 3 },
      stricter: 2,
      milder: 0,
      devices: 1,
    });
    expect(outcome.events?.map(({ event_id }) => event_id)).toEqual([newest.event_id, warned.event_id]);
    expect(outcome.events?.[1]).toEqual({
      event_id: warned.event_id,
      device_id: deviceId,
      timestamp: warned.timestamp,
      threat_category: 'phishing',
      confidence: 0.7,
      severity: 'medium',
      action_taken: 'warn',
      before: 'warn',
      after: 'block',
      policy_id: 'pol_simulated',
    });
  });

  test('of a changed policy compares with the present policies, and stores nothing', async () => {
    const { send: sendEvent, simulate, createPolicy, tenant } = await createScene();
    const id = await createPolicy({ confidence_threshold: 0.5 });
    await sendEvent({ confidence: 0.6, action_taken: 'allow' });
    await sendEvent({ confidence: 0.9, threat_category: 'deepfake', action_taken: 'block' });

    const unchanged = await simulate({ policy_id: id, change: { name: 'Renamed' } });
    expect(unchanged).toMatchObject({ matched: 1, stricter: 0, milder: 0, devices: 0, events: [] });
    expect(unchanged).toMatchObject({ taken: { allow: 1 }, before: { block: 1 }, after: { block: 1 } });

    const moved = await simulate({
      policy_id: id,
      change: { threat_categories: ['deepfake'], action: 'warn' },
    });
    // Phishing falls back to what agents do without a policy: warn from 0.5.
    expect(moved).toMatchObject({ matched: 2, before: { block: 2 }, after: { warn: 2 }, milder: 2 });
    expect(moved.events?.map((event) => event.policy_id)).toEqual([id, 'pol_agent-default-warn']);

    const { body } = await service.client.send('GET', `/policies/${id}`, tenant);
    expect(body).toMatchObject({ version: 1, name: 'Phishing', threat_categories: ['phishing'] });
  });

  test('leaves out corrections and status events, on which no policy decides', async () => {
    const { send: sendEvent, simulate } = await createScene();
    const root = await sendEvent({ confidence: 0.7, action_taken: 'warn' });
    await sendEvent({ confidence: 0.7, action_taken: 'allow', corrects_event_id: root.event_id });
    const status = { threat_category: 'malicious_app', confidence: 0, action_taken: 'allow' } as const;
    await sendEvent({ ...status, policy_id: STATUS_POLICY_ID, severity: 'low' });
    const outcome = await simulate({
      policy: { name: 'all', threat_categories: ['phishing', 'malicious_app'], action: 'block' },
    });
    expect(outcome).toMatchObject({ read: 3, matched: 1, left_out: 2, stricter: 1 });
  });

  test('reads the newest events first, and says when the oldest were not read', async () => {
    const { send: sendEvent, simulate, tenant } = await createScene();
    const times: string[] = [];
    for (const confidence of [0.1, 0.2, 0.3]) {
      clock.advance(10);
      times.push(new Date(clock.now()).toISOString());
      await sendEvent({ confidence, action_taken: 'allow' });
    }
    const confidencesOf = async (parts: Partial<NewPolicySimulation>) => {
      const { events = [], complete, read } = await simulate({ ...aPolicy, ...parts });
      expect(events).toHaveLength(read);
      return [...events.map(({ confidence }) => confidence), complete];
    };
    expect(await confidencesOf({})).toEqual([0.3, 0.2, 0.1, true]);
    expect(await confidencesOf({ limit: 2 })).toEqual([0.3, 0.2, false]);
    expect(await confidencesOf({ limit: 3 })).toEqual([0.3, 0.2, 0.1, true]);
    expect(await confidencesOf({ received_since: times[1] as string })).toEqual([0.3, 0.2, true]);
    const range = { received_since: times[1] as string, received_until: times[2] as string };
    expect(await confidencesOf(range)).toEqual([0.2, true]);
    const { oldest_received_at } = await simulate({ ...aPolicy, ...range });
    expect(Date.parse(oldest_received_at ?? '')).toBeGreaterThanOrEqual(Date.parse(times[1] as string));
    const backwards = { received_since: times[2] as string, received_until: times[1] as string };
    expect(await confidencesOf(backwards)).toEqual([true]);
    expect((await send({ ...aPolicy, ...range }, tenant.credential)).status).toBe(200);
  });

  test('of a tenant without events reads nothing', async () => {
    const { simulate } = await createScene();
    expect(await simulate(aPolicy)).toMatchObject({ read: 0, complete: true, oldest_received_at: null });
  });

  test('lists at most 100 events, and counts all', async () => {
    const { simulate, tenant } = await createScene();
    const device = await registerTestDevice(service, { tenant });
    const events = Array.from({ length: 130 }, () => device.event({ confidence: 0.6, action_taken: 'warn' }));
    expect((await device.post({ events }, { path: '/events/batch' })).status).toBe(200);
    const outcome = await simulate(aPolicy);
    expect(outcome.stricter).toBe(130);
    expect(outcome.events).toHaveLength(100);
  });
});

describe('a simulation is refused', () => {
  test.each<[body: object, status: number, code: string]>([
    [{}, 400, 'invalid_field'],
    [{ policy_id: 'pol_x' }, 400, 'invalid_field'],
    [{ change: { enabled: false } }, 400, 'invalid_field'],
    [{ ...aPolicy, policy_id: 'pol_x', change: { enabled: false } }, 400, 'invalid_field'],
    [{ policy: { ...policy, tenant_id: 'tnt_1' } }, 400, 'invalid_field'],
    [{ policy: { name: 'p', action: 'block' } }, 400, 'missing_field'],
    [{ policy_id: 'pol_x', change: {} }, 400, 'invalid_field'],
    [{ ...aPolicy, limit: 20_001 }, 400, 'invalid_field'],
    [{ ...aPolicy, received_since: 'yesterday' }, 400, 'invalid_field'],
    [{ policy_id: 'pol_unknown', change: { enabled: false } }, 404, 'not_found'],
  ])('for %j', async (body, status, code) => {
    expectRefusal(await send(body, scene.tenant.credential), status, code);
  });

  test('for an archived policy, and for the id of any policy that exists', async () => {
    const { createPolicy, tenant } = await createScene();
    const id = await createPolicy();
    const taken = { policy: { ...policy, policy_id: id } };
    expectRefusal(await send(taken, tenant.credential), 409, 'policy_id_conflict');
    await service.client.send('DELETE', `/policies/${id}`, tenant);
    expectRefusal(
      await send({ policy_id: id, change: { enabled: true } }, tenant.credential),
      404,
      'not_found',
    );
    expectRefusal(await send(taken, tenant.credential), 409, 'policy_id_conflict');
  });

  test('without its scope, and for the policy of another tenant', async () => {
    const { createPolicy, tenant } = await createScene();
    const change = { policy_id: await createPolicy(), change: { enabled: false } };
    const credential = await service.createCredential(tenant.tenantId, ['events:read']);
    expectRefusal(await send(change, credential), 403, 'insufficient_scope');
    expectRefusal(await send(change, scene.tenant.credential), 404, 'not_found');
  });
});

test('without the scope for events, a simulation counts and lists no events', async () => {
  const { send: sendEvent, tenant } = await createScene();
  await sendEvent({ confidence: 0.6, action_taken: 'warn' });
  const credential = await service.createCredential(tenant.tenantId, ['devices:read']);
  const { body } = await send(aPolicy, credential);
  expect(body).toMatchObject({ stricter: 1 });
  expect(body).not.toHaveProperty('events');
});

test("another tenant's events and policies are not counted", async () => {
  const own = await createScene();
  const other = await createScene();
  await other.createPolicy({ action: 'allow' });
  await other.send({ confidence: 0.7, action_taken: 'warn' });
  await own.send({ confidence: 0.6, action_taken: 'warn' });
  expect(await own.simulate(aPolicy)).toMatchObject({ read: 1, matched: 1, before: { warn: 1 } });
});

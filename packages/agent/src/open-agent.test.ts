import { describe, expect, test } from 'vitest';
import type { Detection } from './detection.ts';
import { systemClock } from './system-clock.ts';
import { refusal } from './testing/checking-service.ts';
import { detection, startScene } from './testing/enrolled-agent.ts';
import { CREDENTIAL } from './testing/known-device.ts';
import { policy } from './testing/sample-policy.ts';

const secondsFromNow = (seconds: number) => ({
  nowMs: () => Date.now() + seconds * 1000,
  sleep: () => new Promise<void>(() => {}),
});

describe('a recorded detection', () => {
  test('becomes an event that says who decided what, on which device', async () => {
    const { agent, service, identity } = await startScene({ agentVersion: '2.4.1' });
    service.state.policies = [policy('pol_block', { action: 'block', confidence_threshold: 0.5 })];
    expect(await agent.refreshPolicies()).toBe(true);
    const recorded = await agent.record({
      ...detection(1),
      indicators: ['203.0.113.77'],
      metadata: { note: 'from anna@mail.example', agent_version: 'mine' } as Detection['metadata'] & object,
      modelVersion: 'm3',
    });
    expect(recorded).toMatchObject({
      kept: 'disk',
      decision: { action: 'block', policy: { policy_id: 'pol_block' } },
    });
    expect(await agent.flush()).toBe(true);
    expect([...service.feed.values()]).toEqual([
      {
        event_id: recorded.eventId,
        type: 'risk.event.created',
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        tenant_id: identity.tenantId,
        device_id: identity.deviceId,
        threat_category: 'phishing',
        confidence: 0.6,
        action_taken: 'block',
        policy_id: 'pol_block',
        severity: 'medium',
        description: 'Detection 1',
        indicators: ['203.0.113.0/24'],
        metadata: {
          agent_version: '2.4.1',
          model_version: 'm3',
          device_platform: 'linux',
          note: 'from [email]',
        },
        sequence: 1,
      },
    ]);
    const stored = await agent.find(recorded.eventId);
    expect(stored?.event.indicators).toEqual(['203.0.113.77']);
    expect(Object.keys(stored?.history ?? {})).toEqual(
      expect.arrayContaining(['created', 'enriched', 'persisted', 'delivered', 'archived']),
    );
  });

  test.each<[string, unknown]>([
    ['threatCategory', { threatCategory: 'weather' }],
    ['confidence', { confidence: 1.01 }],
    ['confidence', { confidence: '0.5' }],
    ['severity', { severity: 'grave' }],
    ['description', { description: 'x'.repeat(4097) }],
    ['indicators', { indicators: Array(65).fill('a') }],
    ['indicators\\[1\\]', { indicators: ['a', ''] }],
    ['indicators\\[0\\]', { indicators: ['a'.repeat(513)] }],
    ['metadata', { metadata: { text: 'x'.repeat(4040) } }],
    ['metadata.deep', { metadata: { deep: () => 1 } }],
    ['modelVersion', { modelVersion: 'x'.repeat(65) }],
    ['confidense', { confidense: 1 }],
  ])('is refused by the name of what is wrong: %s', async (member, parts) => {
    const { agent } = await startScene();
    const wrong = { ...detection(1), ...(parts as Partial<Detection>) };
    await expect(agent.record(wrong)).rejects.toThrow(new RegExp(`^${member} |${member}\\.$`));
    expect(agent.health().store.waiting).toBe(0);
  });

  test('is no longer its caller’s to change, and half characters do not cost the event', async () => {
    const { agent, service } = await startScene();
    const indicators = ['a'];
    const recording = agent.record(detection(1, { indicators, description: 'cut \ud83d' }));
    indicators.push('b');
    await recording;
    expect(await agent.flush()).toBe(true);
    expect([...service.feed.values()]).toMatchObject([{ indicators: ['a'], description: 'cut \ufffd' }]);
  });

  test('can be corrected: the correction names the first event, however often', async () => {
    const { agent, service } = await startScene();
    const { eventId } = await agent.record(detection(1));
    const first = await agent.correct(eventId, {
      action: 'allow',
      reason: 'It was Anna, anna@mail.example.',
    });
    const second = await agent.correct(first.eventId, { action: 'warn', reason: 'It was not.' });
    expect(await agent.flush()).toBe(true);
    expect(service.feed.get(first.eventId)).toMatchObject({
      action_taken: 'allow',
      corrects_event_id: eventId,
      correction_reason: 'It was Anna, [email].',
    });
    expect(service.feed.get(second.eventId)).toMatchObject({ corrects_event_id: eventId });
    await expect(agent.correct('evt_unknown', { action: 'allow', reason: 'x' })).rejects.toThrow(
      /not stored/,
    );
  });
});

describe('uploading', () => {
  test('brings the gravest first, then the oldest', async () => {
    const { agent, service } = await startScene();
    for (const [number, severity] of (
      ['low', 'high', 'medium', 'critical', 'high', 'low'] as const
    ).entries()) {
      await agent.record(detection(number, { severity }));
    }
    await agent.flush();
    const descriptions = [...service.feed.values()].map(({ description }) => description?.slice(-1));
    expect(descriptions).toEqual(['3', '1', '4', '2', '0', '5']);
  });

  test('sends each event once, whatever happens on the way', async () => {
    const { agent, service } = await startScene();
    const ids = [];
    for (let number = 1; number <= 5; number += 1) ids.push((await agent.record(detection(number))).eventId);
    service.state.script.push(
      'disconnect',
      // Stored, but the answer is lost.
      (events) => {
        for (const event of events) service.store(event);
        return 'disconnect';
      },
      [502, '<h1>Bad Gateway</h1>'],
      refusal(500, 'internal_error'),
    );
    const results = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) results.push(await agent.flush());
    expect(results).toEqual([false, false, false, false, true]);
    expect([...service.feed.keys()].sort()).toEqual(ids.sort());
    expect([...service.feed.values()].map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(agent.health()).toMatchObject({
      store: { waiting: 0, archived: 5 },
      upload: { state: 'idle', delivered: 5 },
    });
  });

  test('splits what is too large, and refuses a single event that is', async () => {
    const { agent, service, notices } = await startScene();
    for (let number = 1; number <= 8; number += 1) await agent.record(detection(number));
    const tooLarge = (limit: number) => (events: readonly { description?: string }[]) =>
      events.length > limit || events.some(({ description }) => description === 'Detection 6')
        ? refusal(413, 'payload_too_large')
        : ([200, { results: events.map((event) => service.store(event as never)) }] as const);
    service.state.script.push(...Array(40).fill(tooLarge(2)));
    expect(await agent.flush()).toBe(true);
    expect(service.feed.size).toBe(7);
    expect(agent.health().store).toMatchObject({ waiting: 0, archived: 7, refused: 1 });
    expect(notices).toMatchObject([
      { kind: 'event_refused', message: expect.stringContaining('payload_too_large') },
    ]);
  });

  test('keeps and reports an event whose id is taken, and goes on', async () => {
    const { agent, service, notices } = await startScene();
    const { eventId } = await agent.record(detection(1));
    await agent.record(detection(2));
    service.state.script.push(([first, ...others]) => [
      200,
      {
        results: [
          {
            event_id: first?.event_id ?? null,
            status: 409,
            error: { code: 'event_id_conflict', message: 'No.', status: 409 },
          },
          ...others.map(service.store),
        ],
      },
    ]);
    expect(await agent.flush()).toBe(true);
    expect(await agent.find(eventId)).toMatchObject({ refusal: { status: 409, code: 'event_id_conflict' } });
    expect(notices).toMatchObject([
      { kind: 'event_refused', message: expect.stringContaining('event_id_conflict') },
    ]);
  });

  test('stops when the device is refused, reports it once, and starts again when told to', async () => {
    const { agent, service, notices } = await startScene();
    await agent.record(detection(1));
    service.state.script.push(refusal(401, 'invalid_credentials', 'The credential is not valid.'));
    expect(await agent.flush()).toBe(false);
    expect(await agent.flush()).toBe(false);
    expect(service.batches).toHaveLength(1);
    expect(agent.health().upload).toMatchObject({
      state: 'stopped',
      reason: expect.stringContaining('not valid'),
    });
    expect(notices.map(({ kind }) => kind)).toEqual(['upload_stopped']);
    agent.resume();
    expect(await agent.flush()).toBe(true);
    expect(service.feed.size).toBe(1);
  });

  test('leaves the service alone for as long as it asks, also across flushes', async () => {
    const { agent, service } = await startScene();
    await agent.record(detection(1));
    const [status, body] = refusal(429, 'rate_limited');
    service.state.script.push([status, body, { 'retry-after': '600' }]);
    expect(await agent.flush()).toBe(false);
    expect(await agent.flush()).toBe(false);
    expect(service.batches).toHaveLength(1);
    const { state, nextAttemptAt } = agent.health().upload;
    expect(state).toBe('backing_off');
    expect(Date.parse(nextAttemptAt ?? '')).toBeGreaterThan(Date.now() + 590_000);
  });

  test('of a device whose clock is a week behind works, and keeps the time that the device gave', async () => {
    const week = 7 * 24 * 3600;
    const { agent, service, notices } = await startScene({ clock: secondsFromNow(-week) });
    await agent.record(detection(1));
    expect(await agent.flush()).toBe(true);
    expect(service.feed.size).toBe(1);
    expect(notices.map(({ kind }) => kind)).toEqual(['clock_off']);
    expect(agent.health().clockAheadMs).toBeLessThan(-(week - 60) * 1000);
    const [event] = service.feed.values();
    expect(Date.parse(event?.timestamp ?? '')).toBeLessThan(Date.now() - (week - 60) * 1000);
  });

  test('keeps an event from the future until its time has come, and sends the others', async () => {
    let aheadMs = 3_600_000;
    const clock = { nowMs: () => Date.now() + aheadMs, sleep: systemClock.sleep };
    const { agent, service } = await startScene({ clock });
    const { eventId } = await agent.record(detection(1));
    expect(await agent.flush()).toBe(false);
    expect(service.batches).toEqual([]);
    aheadMs = 0;
    await agent.refreshPolicies();
    await agent.record(detection(2));
    expect(await agent.flush()).toBe(false);
    expect([...service.feed.values()]).toMatchObject([{ description: 'Detection 2' }]);
    service.clock.nowMs = () => Date.now() + 3_600_000;
    await agent.refreshPolicies();
    expect(await agent.flush()).toBe(true);
    expect([...service.feed.keys()].at(-1)).toBe(eventId);
  });

  test('does not wait longer because the clock is set back', async () => {
    let aheadMs = 0;
    const clock = { nowMs: () => Date.now() + aheadMs, sleep: systemClock.sleep };
    const { agent, service } = await startScene({ clock });
    await agent.record(detection(1));
    const [status, body] = refusal(503, 'unavailable');
    service.state.script.push([status, body, { 'retry-after': '60' }]);
    expect(await agent.flush()).toBe(false);
    aheadMs = -24 * 3_600_000;
    await agent.flush();
    expect(service.feed.size).toBe(1);
  });

  test('goes on after a restart where it was, in the same chain', async () => {
    const { agent, service, open } = await startScene();
    await agent.record(detection(1));
    await agent.flush();
    await agent.record(detection(2));
    await agent.close();
    const again = await open();
    await again.record(detection(3));
    expect(await again.flush()).toBe(true);
    expect([...service.feed.values()].map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });
});

describe('policies', () => {
  test('hold while the service is away, and after a restart', async () => {
    const { agent, service, open } = await startScene();
    service.state.policies = [policy('pol_block', { action: 'block', confidence_threshold: 0.2 })];
    expect(agent.explain(detection(1)).policy.policy_id).toBe('pol_agent-default-warn');
    await agent.refreshPolicies();
    await agent.close();
    service.state.policyReply = 'disconnect';
    const again = await open();
    expect(await again.refreshPolicies()).toBe(false);
    expect(again.explain(detection(1))).toMatchObject({
      action: 'block',
      policy: { policy_id: 'pol_block' },
    });
    expect(again.health().policies).toMatchObject({ count: 1, confirmedAt: expect.any(String) });
  });

  test('are asked for by their tag', async () => {
    const { agent, service } = await startScene();
    service.state.policies = [policy('pol_1')];
    expect([await agent.refreshPolicies(), await agent.refreshPolicies()]).toEqual([true, true]);
    const asked = service.received.filter(({ method }) => method === 'GET');
    expect(asked.map(({ ifNoneMatch }) => ifNoneMatch !== undefined)).toEqual([false, true]);
    service.state.policies = [];
    await agent.refreshPolicies();
    expect(agent.health().policies.count).toBe(0);
  });
});

describe('the signing key', () => {
  test('is exchanged, and what waits is sent under the new one', async () => {
    const { agent, service } = await startScene();
    await agent.record(detection(1));
    await agent.rotateSigningKey();
    expect(service.received.at(-1)).toMatchObject({ signatures: [{ label: 'old' }, { label: 'new' }] });
    expect(await agent.flush()).toBe(true);
    expect(service.batches).toHaveLength(1);
  });

  test('is not exchanged while events that it has signed are under way', async () => {
    let resolve = () => {};
    const exchanged = new Promise<void>((settle) => {
      resolve = settle;
    });
    const { agent, service, open } = await startScene();
    await agent.close();
    const slow = await open({
      fetch: async (url, init) => {
        if (String(url).endsWith('/batch')) {
          await Promise.race([exchanged, systemClock.sleep(50, new AbortController().signal)]);
        }
        const response = await fetch(url, init);
        if (String(url).endsWith('/keys')) resolve();
        return response;
      },
    });
    await slow.record(detection(1));
    const [isSent] = await Promise.all([slow.flush(), slow.rotateSigningKey()]);
    expect(isSent).toBe(true);
    expect(service.feed.size).toBe(1);
  });

  test.each(['disconnect', 'disconnect_after'] as const)(
    'is settled by asking, after an exchange without an answer (%s) and a crash',
    async (outcome) => {
      const { agent, service, open } = await startScene();
      await agent.record(detection(1));
      service.state.rotations.push(outcome);
      await expect(agent.rotateSigningKey()).rejects.toThrow(/not known yet/);
      await agent.close();
      const again = await open();
      expect(await again.flush()).toBe(true);
      expect(service.feed.size).toBe(1);
      await again.rotateSigningKey();
    },
  );

  test('stays when the service refuses the exchange', async () => {
    const { agent, service } = await startScene();
    service.state.rotations.push(refusal(403, 'insufficient_scope'));
    await expect(agent.rotateSigningKey()).rejects.toMatchObject({ code: 'insufficient_scope' });
    await agent.record(detection(1));
    expect(await agent.flush()).toBe(true);
    expect(service.received.filter(({ path }) => path === '/devices')).toHaveLength(1);
  });
});

test('the storage key is exchanged without losing what is stored', async () => {
  const { agent, open, service } = await startScene();
  const { eventId } = await agent.record(detection(1));
  await agent.rotateStorageKey();
  await agent.record(detection(2));
  await agent.close();
  const again = await open();
  expect(await again.find(eventId)).toMatchObject({ event: { description: 'Detection 1' } });
  expect(await again.flush()).toBe(true);
  expect(service.feed.size).toBe(2);
});

describe('health', () => {
  test('is told in a status event that raises nothing', async () => {
    const { agent, service } = await startScene();
    await agent.recordStatus();
    await agent.flush();
    expect([...service.feed.values()]).toMatchObject([
      {
        action_taken: 'allow',
        severity: 'low',
        confidence: 0,
        policy_id: 'pol_agent-status',
        metadata: {
          agent_status: { mode: 'recording', dropped: { low: 0, medium: 0, high: 0, critical: 0 } },
        },
      },
    ]);
  });

  test('declares what was dropped once the service can be reached', async () => {
    const { agent, service } = await startScene({ budgetBytes: 1024 * 1024 });
    const description = 'x'.repeat(4000);
    while (agent.health().store.undeclared === 0) {
      await Promise.all(
        Array.from({ length: 20 }, (_, number) => agent.record(detection(number, { description }))),
      );
    }
    const dropped = agent.health().store.dropped.medium;
    const recorded = agent.health().store.waiting + dropped;
    expect(await agent.flush()).toBe(true);
    expect(agent.health().store.undeclared).toBe(0);
    const status = [...service.feed.values()].at(-1);
    expect(status).toMatchObject({
      policy_id: 'pol_agent-status',
      metadata: { agent_status: { dropped: { medium: dropped } } },
    });
    expect(service.feed.size - 1 + dropped).toBe(recorded);
  });

  test('shows no credential', async () => {
    const { agent } = await startScene();
    await agent.refreshPolicies();
    expect(JSON.stringify(agent.health())).not.toContain(CREDENTIAL);
  });
});

describe('an autonomous agent', () => {
  test('uploads what is recorded, and closes promptly', async () => {
    const { agent, service, open } = await startScene();
    await agent.close();
    const arrived = new Promise<void>((resolve) => {
      service.state.script.push((events) => {
        resolve();
        return [200, { results: events.map(service.store) }];
      });
    });
    const working = await open({ autonomous: true });
    await working.record(detection(1));
    await arrived;
    await working.close();
    expect(service.feed.size).toBe(1);
  });

  test('tries again by itself', async () => {
    const { agent, service, open } = await startScene();
    await agent.close();
    const arrived = new Promise<void>((resolve) => {
      service.state.script.push('disconnect', refusal(503, 'unavailable'), (events) => {
        resolve();
        return [200, { results: events.map(service.store) }];
      });
    });
    const soon = { nowMs: Date.now, sleep: (_: number, signal: AbortSignal) => brief(signal) };
    const working = await open({ autonomous: true, clock: soon });
    await working.record(detection(1));
    await arrived;
    await working.close();
    expect(service.feed.size).toBe(1);
  });
});

/** Ten milliseconds for any wait. */
function brief(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, 10);
  });
}

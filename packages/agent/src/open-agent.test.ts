import { describe, expect, test } from 'vitest';
import type { Detection } from './policy/detection.ts';
import { refusal } from './testing/checking-service.ts';
import { detection, startScene } from './testing/enrolled-agent.ts';
import { CREDENTIAL } from './testing/known-device.ts';
import { policy } from './testing/sample-policy.ts';

describe('a recorded detection', () => {
  test('becomes an event with the decision, the policy and the device', async () => {
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
    ['severity', { severity: 'extreme' }],
    ['description', { description: 'x'.repeat(4097) }],
    ['indicators', { indicators: Array(65).fill('a') }],
    ['indicators\\[1\\]', { indicators: ['a', ''] }],
    ['indicators\\[0\\]', { indicators: ['a'.repeat(513)] }],
    ['indicators\\[0\\]', { indicators: new Array(2) }],
    ['metadata', { metadata: { text: 'x'.repeat(4040) } }],
    ['metadata.deep', { metadata: { deep: () => 1 } }],
    ['metadata.ids\\[1\\]', { metadata: { ids: [1, 2 ** 53] } }],
    ['metadata.big', { metadata: { big: 2n } }],
    ['modelVersion', { modelVersion: 'x'.repeat(65) }],
    ['confidense', { confidense: 1 }],
  ])('is rejected with the name of the invalid member: %s', async (member, parts) => {
    const { agent } = await startScene();
    const wrong = { ...detection(1), ...(parts as Partial<Detection>) };
    await expect(agent.record(wrong)).rejects.toThrow(new RegExp(`^${member} |${member}\\.$`));
    expect(agent.health().store.waiting).toBe(0);
  });

  test('is copied, and lone surrogates do not cost the event', async () => {
    const { agent, service } = await startScene();
    const indicators = ['a'];
    const recording = agent.record(detection(1, { indicators, description: 'cut \ud83d' }));
    indicators.push('b');
    await recording;
    expect(await agent.flush()).toBe(true);
    expect([...service.feed.values()]).toMatchObject([{ indicators: ['a'], description: 'cut \ufffd' }]);
  });

  test('can be corrected repeatedly, and each correction names the first event', async () => {
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
      /no longer stored/,
    );
  });
});

describe('policies', () => {
  test('stay in force during an outage and after a restart', async () => {
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

  test('are requested with their tag', async () => {
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

test('invalid options are rejected before the agent opens', async () => {
  const { agent, open } = await startScene();
  await agent.close();
  await expect(open({ agentVersion: 'x'.repeat(65) })).rejects.toThrow(/^agentVersion/);
  await expect(open({ fallbackPolicies: [policy('wrong')] })).rejects.toThrow(/^fallbackPolicies/);
  for (const name of ['memoryBudgetBytes', 'retentionDays', 'statusEveryHours']) {
    await expect(open({ [name]: Number.NaN })).rejects.toThrow(new RegExp(`^${name}`));
    await expect(open({ [name]: -1 })).rejects.toThrow(new RegExp(`^${name}`));
  }
  // No rejected call kept the directory locked.
  await (await open({ fallbackPolicies: [policy('pol_mine')] })).close();
});

describe('health', () => {
  test('is recorded in a status event that raises no alert', async () => {
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

  test('declares dropped events once, even when flushes run concurrently', async () => {
    const { agent, service } = await startScene({ budgetBytes: 1024 * 1024 });
    for (let number = 0; agent.health().store.undeclared === 0; number += 1) {
      await agent.record(detection(number, { description: 'x'.repeat(4000) }));
    }
    await Promise.all([agent.flush(), agent.flush(), agent.flush()]);
    expect(agent.health().store).toMatchObject({ waiting: 0, undeclared: 0 });
    const statuses = [...service.feed.values()].filter(({ policy_id }) => policy_id === 'pol_agent-status');
    expect(statuses).toHaveLength(1);
  });

  test('declares dropped events when the service can be reached', async () => {
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
  test('uploads recorded events and closes promptly', async () => {
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

  test('retries without a flush', async () => {
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

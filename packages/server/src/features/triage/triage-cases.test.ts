import type { Event } from '@tps/contract';
import { useTestDatabase } from '@tps/testing/store';
import { beforeEach, describe, expect, test } from 'vitest';
import { runTriage, type TriageRun } from './testing/run-triage.ts';
import { MINUTE_MS, TriageScene } from './testing/triage-scene.ts';
import type { Reason } from './triage-results.ts';

const HOUR_MS = 60 * MINUTE_MS;
let scene: TriageScene;
let scenes = 0;

const store = useTestDatabase();
beforeEach(async () => {
  scenes += 1;
  scene = new TriageScene(store.database, `case${scenes}`);
  await scene.addPolicy('pol_phishing');
});

const run = (...refs: string[]): Promise<TriageRun> => runTriage(store.database, scene.tenantId, refs);

async function runNewest(): Promise<TriageRun> {
  return run((await scene.newestIncident()).incidentId);
}

function reason({ outputs }: TriageRun, code: string): Reason | undefined {
  return outputs.classify.reasons.find((each) => each.code === code);
}

function check({ outputs }: TriageRun, code: string) {
  return outputs.guardrail_check.checks.find((each) => each.code === code);
}

const changes = ({ outputs }: TriageRun) =>
  outputs.draft_recommendation.proposals.map(({ change }) => change);
const actions = ({ outputs }: TriageRun) =>
  outputs.draft_recommendation.actions.map(({ what }) => what).join('\n');

/** Raises incidents of a device that a person then resolves as false alarms. */
async function raiseFalseAlarms(deviceId: string, times: number, members: Partial<Event>): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    await scene.send(deviceId, members);
    const { incidentId } = await scene.newestIncident();
    await scene.change(incidentId, { status: 'resolved', resolution: 'false_positive' });
    scene.clock.advance(26 * HOUR_MS);
  }
}

describe('proposals', () => {
  test('a repeated threat that is blocked each time is resolved as a true positive', async () => {
    const device = await scene.addDevice('dev_a');
    for (let index = 0; index < 4; index += 1) {
      await scene.send(device);
      scene.clock.advance(20 * MINUTE_MS);
    }
    const triage = await runNewest();
    expect(triage.outputs.classify.verdict).toBe('likely_genuine');
    expect(reason(triage, 'recurrence')?.points).toBe(7);
    expect(changes(triage)).toEqual([{ status: 'resolved', resolution: 'true_positive' }]);
    expect(triage.guardrail).toBe('passed');
  });

  test('an event that only warned is contained first, and its policy is named', async () => {
    const device = await scene.addDevice('dev_a');
    const warned = await scene.send(device, { action_taken: 'warn', severity: 'critical' });
    const triage = await runNewest();
    expect(triage.outputs.classify.verdict).toBe('likely_genuine');
    expect(changes(triage)).toEqual([{ status: 'in_progress' }]);
    expect(triage.outputs.draft_recommendation.actions[0]?.who).toBe('affected person');
    expect(actions(triage)).toContain(`pol_phishing is set to block, yet ${warned} only warned`);
  });

  test('a malicious app that is blocked repeatedly stays in progress until it is removed', async () => {
    const device = await scene.addDevice('dev_a');
    for (let index = 0; index < 4; index += 1) {
      await scene.send(device, { threat_category: 'malicious_app', indicators: ['apk:77'] });
      scene.clock.advance(50 * MINUTE_MS);
    }
    const triage = await runNewest();
    expect(changes(triage)).toEqual([{ status: 'in_progress' }]);
    expect(actions(triage)).toContain('Remove the app');
  });

  test('other cases make a weak case unclear, never a false alarm, and the policy needs a review', async () => {
    const members = { indicators: ['domain:intranet'] };
    await raiseFalseAlarms(await scene.addDevice('dev_a'), 2, members);
    const device = await scene.addDevice('dev_b');
    await raiseFalseAlarms(device, 2, members);
    await scene.send(device, { ...members, confidence: 0.5, action_taken: 'warn' });
    const triage = await runNewest();
    expect(reason(triage, 'policy_false')).toMatchObject({ points: -24 });
    expect(reason(triage, 'same_indicator_false')).toMatchObject({ points: -25 });
    expect(triage.outputs.classify.score).toBeLessThanOrEqual(30);
    expect(triage.outputs.classify.verdict).toBe('unclear');
    expect(changes(triage)).toEqual([{ status: 'in_progress' }]);
    expect(actions(triage)).toContain('Review pol_phishing');
  });

  test('a false alarm of another policy does not count', async () => {
    const device = await scene.addDevice('dev_a');
    await raiseFalseAlarms(device, 2, { indicators: ['domain:intranet'], policy_id: 'pol_other' });
    await scene.send(device);
    const triage = await runNewest();
    expect(reason(triage, 'policy_false')).toBeUndefined();
    expect(reason(triage, 'same_indicator_false')).toBeUndefined();
  });

  test('an incident is not evidence against itself', async () => {
    await scene.send(await scene.addDevice('dev_a'));
    const { incidentId } = await scene.newestIncident();
    await scene.change(incidentId, { status: 'resolved', resolution: 'false_positive' });
    const triage = await run(incidentId);
    expect(reason(triage, 'policy_false')).toBeUndefined();
    expect(reason(triage, 'same_indicator_false')).toBeUndefined();
  });

  test('an event that was corrected to allow is a false alarm', async () => {
    const device = await scene.addDevice('dev_a');
    const root = await scene.send(device);
    const { incidentId } = await scene.newestIncident();
    // Otherwise the service resolves the incident itself.
    await scene.change(incidentId, { assignee: 'Kim' });
    scene.clock.advance(MINUTE_MS);
    const correction = {
      action_taken: 'allow',
      corrects_event_id: root,
      correction_reason: 'own mail',
    } as const;
    const correctionId = await scene.send(device, correction);
    const triage = await run(incidentId);
    expect(reason(triage, 'withdrawn')).toMatchObject({ points: -45, refs: [correctionId] });
    expect(changes(triage)).toEqual([{ status: 'resolved', resolution: 'false_positive' }]);
    expect(triage.artifacts.triage_report).toContain('own mail');
  });

  test('weak evidence alone is not a false alarm and leads to open questions', async () => {
    const device = await scene.addDevice('dev_a');
    await scene.addPolicy('pol_careful', { confidenceThreshold: 0.05 });
    const members = { confidence: 0.1, action_taken: 'warn', policy_id: 'pol_careful' } as const;
    await scene.send(device, members);
    const triage = await runNewest();
    expect(triage.outputs.classify.verdict).toBe('likely_false');
    expect(changes(triage)).toEqual([{ status: 'in_progress' }]);
    expect(triage.outputs.draft_recommendation.questions).not.toEqual([]);
  });

  test('a resolved incident stays unchanged', async () => {
    await scene.send(await scene.addDevice('dev_a'), { action_taken: 'warn', severity: 'critical' });
    const { incidentId } = await scene.newestIncident();
    await scene.change(incidentId, { status: 'resolved', resolution: 'test' });
    expect(changes(await run(incidentId))).toEqual([null]);
  });

  test('a campaign on three devices is found, scored and kept in progress', async () => {
    for (const name of ['dev_a', 'dev_b', 'dev_c']) {
      await scene.send(await scene.addDevice(name, { platform: name === 'dev_c' ? 'ios' : 'android' }));
      scene.clock.advance(5 * MINUTE_MS);
    }
    const campaign = await scene.newestIncident('campaign');
    const triage = await run(campaign.incidentId);
    expect(reason(triage, 'campaign')?.refs).toEqual([campaign.incidentId]);
    expect(reason(triage, 'spread')?.points).toBe(12);
    expect(triage.outputs.correlate).toMatchObject({
      devices: 3,
      otherDevices: 0,
      platforms: ['android', 'ios'],
    });
    expect(changes(triage)).toEqual([{ status: 'in_progress' }]);

    const [single] = await scene.incidents('phishing');
    const ofOne = await run(single?.incidentId ?? '');
    expect(ofOne.outputs.correlate.otherDevices).toBe(2);
    expect(ofOne.outputs.correlate.campaigns).toMatchObject([
      { incidentId: campaign.incidentId, devices: 3 },
    ]);
  });

  test('a monitoring incident gets technical steps instead of a score', async () => {
    await scene.addMonitoringIncident('webhook whk_1', 'Webhook whk_1 has 12 dead letters');
    const triage = await runNewest();
    expect(triage.outputs.classify.verdict).toBe('technical');
    expect(changes(triage)).toEqual([{ status: 'in_progress' }]);
    expect(triage.artifacts.triage_report).toContain('`whk_1`');
  });
});

describe('guardrails', () => {
  test('a fork in the event chain of a device prevents a resolution', async () => {
    const device = await scene.addDevice('dev_a');
    await scene.send(device, { sequence: 1 });
    const forked = await scene.send(device, { sequence: 1, previous_event_hash: 'a'.repeat(64) });
    const [integrity] = await scene.incidents('device_integrity');
    const [phishing] = await scene.incidents('phishing');
    const triage = await run(phishing?.incidentId ?? '');
    expect(check(triage, 'chain_intact')).toMatchObject({ result: 'flagged', refs: [forked] });
    expect(triage.guardrail).toBe('flagged');
    expect(changes(triage)).toEqual([{ status: 'in_progress' }]);
    const ofDevice = await run(integrity?.incidentId ?? '');
    expect(ofDevice.artifacts.triage_report).toContain(forked);
    expect(changes(ofDevice)).toEqual([{ status: 'in_progress' }]);
  });

  test('an indicator that was allowed once and blocked another time is a contradiction', async () => {
    const device = await scene.addDevice('dev_a');
    const allowed = await scene.send(device, { action_taken: 'allow', severity: 'low' });
    scene.clock.advance(HOUR_MS);
    const blocked = await scene.send(device);
    const triage = await runNewest();
    expect(check(triage, 'no_contradiction')).toMatchObject({ result: 'flagged', refs: [blocked, allowed] });
    expect(changes(triage)).toEqual([{ status: 'in_progress' }]);
  });

  test('an event that names another tenant blocks a resolution', async () => {
    const device = await scene.addDevice('dev_a');
    const eventId = await scene.send(device);
    await rewriteBody(eventId, (body) => ({ ...body, tenant_id: 'tnt_other' }));
    const triage = await runNewest();
    expect(triage.guardrail).toBe('blocked');
    expect(check(triage, 'own_tenant')?.refs).toEqual([eventId]);
    expect(triage.outputs.load_inputs.foreignRefs).toEqual([eventId]);
    expect(changes(triage)).toEqual([{ status: 'in_progress' }]);
  });

  test('stored personal data is flagged and appears in no artifact', async () => {
    const device = await scene.addDevice('dev_a');
    const eventId = await scene.send(device);
    const description = 'Write to anna.berger@mail.example, +49 30 901820, https://pay.example/x?u=7';
    await rewriteBody(eventId, (body) => ({ ...body, description, indicators: ['https://pay.example/y'] }));
    const triage = await runNewest();
    expect(check(triage, 'no_personal_data')).toMatchObject({ result: 'flagged', refs: [eventId] });
    for (const text of [...Object.values(triage.artifacts), JSON.stringify(triage.outputs)])
      for (const secret of ['anna.berger', '901820', 'pay.example']) expect(text).not.toContain(secret);
  });

  test('the events of a revoked device do not decide a case', async () => {
    const device = await scene.addDevice('dev_a');
    await scene.send(device);
    await store.database.transaction(async (tx) => {
      await tx.db
        .updateTable('devices')
        .set({ status: 'revoked' })
        .where('tenant_id', '=', scene.tenantId)
        .execute();
    });
    const triage = await runNewest();
    expect(check(triage, 'device_trusted')).toMatchObject({ result: 'flagged', refs: [device] });
    expect(changes(triage)).toEqual([{ status: 'in_progress' }]);
  });

  test('an incident that was only partly read is not resolved', async () => {
    const device = await scene.addDevice('dev_a');
    for (let batch = 0; batch < 6; batch += 1) {
      const events = Array.from({ length: 100 }, (_, index) => ({
        device_id: device,
        indicators: ['domain:sig-8841', `own-${batch}-${index}`],
      }));
      await scene.sendMany(events);
    }
    const triage = await runNewest();
    expect(triage.outputs.load_inputs.cuts).toContainEqual({
      what: 'alerts of the incidents',
      kept: 500,
      of: 600,
    });
    expect(triage.outputs.draft_recommendation.proposals[0]?.why).toContain('complete');
    expect(changes(triage)).toEqual([{ status: 'in_progress' }]);
  });

  test('a single event with no indicator and no related events is not enough', async () => {
    await scene.send(await scene.addDevice('dev_a'), { indicators: [] });
    const triage = await runNewest();
    expect(check(triage, 'enough_evidence')).toMatchObject({ result: 'flagged', holds: true });
    expect(changes(triage)).toEqual([{ status: 'in_progress' }]);
  });

  test('an incident without stored events is blocked', async () => {
    const eventId = await scene.send(await scene.addDevice('dev_a'));
    const { incidentId } = await scene.newestIncident();
    await store.database.transaction(async (tx) => {
      await tx.db
        .deleteFrom('events')
        .where('tenant_id', '=', scene.tenantId)
        .where('event_id', '=', eventId)
        .execute();
    });
    const triage = await run(incidentId);
    expect([triage.guardrail, check(triage, 'enough_evidence')?.result]).toEqual(['blocked', 'blocked']);
    expect(changes(triage)).toEqual([{ status: 'in_progress' }]);
  });

  test('unrelated incidents in one job are not decided by one score', async () => {
    await scene.send(await scene.addDevice('dev_a'));
    await scene.send(await scene.addDevice('dev_b'), { indicators: ['other'], threat_category: 'deepfake' });
    const refs = (await scene.incidents()).map(({ incidentId }) => incidentId);
    const triage = await run(...refs);
    expect(check(triage, 'one_matter')?.result).toBe('flagged');
    expect(reason(triage, 'spread')).toBeUndefined();
    expect(changes(triage)).toEqual([{ status: 'in_progress' }, { status: 'in_progress' }]);
  });
});

describe('inputs', () => {
  test('an alert, a threat or an event leads to its incident', async () => {
    const device = await scene.addDevice('dev_a');
    const eventId = await scene.send(device);
    const { incidentId } = await scene.newestIncident();
    const file = (await run(incidentId)).outputs.load_inputs;
    const refs = [file.alerts[0]?.alertId, file.threats[0]?.threatId, eventId];
    for (const ref of refs) {
      const triage = await run(ref ?? '');
      expect(triage.outputs.load_inputs.incidents.map((each) => each.incidentId)).toEqual([incidentId]);
      expect(changes(triage)).toHaveLength(1);
    }
  });

  test('an event without an incident is scored, and nothing is proposed', async () => {
    const device = await scene.addDevice('dev_a');
    const eventId = await scene.send(device, { action_taken: 'allow', severity: 'low', confidence: 0.1 });
    const triage = await run(eventId);
    expect(triage.outputs.draft_recommendation.proposals).toEqual([]);
    expect(triage.outputs.classify.verdict).toBe('likely_false');
    expect(triage.artifacts.triage_report).toContain('an approval changes nothing');
  });

  test('a scan counts as evidence, alone and with an incident', async () => {
    const scanId = await scene.addScan({ scan_id: 'scn_1' });
    expect(reason(await run(scanId), 'scan_scn_1')?.points).toBe(20);
    await scene.send(await scene.addDevice('dev_a'), { action_taken: 'warn', confidence: 0.7 });
    const { incidentId } = await scene.newestIncident();
    const [without, beside] = [await run(incidentId), await run(incidentId, scanId)];
    expect(beside.outputs.classify.score).toBe(without.outputs.classify.score + 20);
  });

  test('content that no scan could classify is unclear, not harmless', async () => {
    const scan = { status: 'unsupported', verdict: 'allow', threat_detected: false, confidence: 0 } as const;
    const triage = await run(await scene.addScan({ scan_id: 'scn_9', ...scan }));
    expect(triage.outputs.classify).toMatchObject({ verdict: 'unclear', score: 0 });
    expect(reason(triage, 'scan_scn_9')?.points).toBe(0);
  });

  test('an input that was deleted fails the job and is named', async () => {
    await expect(run('inc_gone')).rejects.toMatchObject({
      code: 'input_missing',
      message: expect.stringContaining('inc_gone'),
    });
  });

  test("another tenant's incident is not found", async () => {
    await scene.send(await scene.addDevice('dev_a'));
    const { incidentId } = await scene.newestIncident();
    const other = new TriageScene(store.database, 'stranger');
    await expect(runTriage(store.database, other.tenantId, [incidentId])).rejects.toMatchObject({
      code: 'input_missing',
    });
  });
});

async function rewriteBody(eventId: string, change: (body: Event) => object): Promise<void> {
  await store.database.transaction(async (tx) => {
    const own = { tenant_id: scene.tenantId, event_id: eventId };
    const { body } = await tx.db
      .selectFrom('events')
      .select('body')
      .where('tenant_id', '=', own.tenant_id)
      .where('event_id', '=', own.event_id)
      .executeTakeFirstOrThrow();
    await tx.db
      .updateTable('events')
      .set({ body: JSON.stringify(change(JSON.parse(body) as Event)) })
      .where('tenant_id', '=', own.tenant_id)
      .where('event_id', '=', own.event_id)
      .execute();
  });
}

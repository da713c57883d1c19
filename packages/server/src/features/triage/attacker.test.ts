import type { Event } from '@tps/contract';
import { useTestDatabase } from '@tps/testing/store';
import { beforeEach, describe, expect, test } from 'vitest';
import { toWire } from '../scan/scan-result.ts';
import { tenantFindings } from '../scan/tenant-findings.ts';
import { runTriage, type TriageRun } from './testing/run-triage.ts';
import { MINUTE_MS, TriageScene } from './testing/triage-scene.ts';

const HOUR_MS = 60 * MINUTE_MS;
const IN_PROGRESS = { status: 'in_progress' };
const FALSE_ALARM = { status: 'resolved', resolution: 'false_positive' };
let scene: TriageScene;
let scenes = 0;

const store = useTestDatabase();
beforeEach(async () => {
  scenes += 1;
  scene = new TriageScene(store.database, `attacker${scenes}`);
  await scene.addPolicy('pol_phishing');
});

const run = (...refs: string[]): Promise<TriageRun> => runTriage(store.database, scene.tenantId, refs);

async function incidentOf(device: string, category?: 'phishing' | 'malicious_app'): Promise<string> {
  const found = (await scene.incidents(category)).find(({ correlationKey }) => correlationKey === device);
  return found?.incidentId ?? '';
}

/** The device corrects its own event to allow and removes the indicators. */
function withdraw(device: string, eventId: string, members: Partial<Event> = {}): Promise<string> {
  const harmless = { action_taken: 'allow', severity: 'low', confidence: 0, indicators: [] } as const;
  return scene.send(device, { corrects_event_id: eventId, ...harmless, indicators: [], ...members });
}

/** A person takes the incident, so that the service no longer resolves it. */
async function take(incidentId: string): Promise<void> {
  await scene.change(incidentId, { comment: 'I am looking into it' });
}

const changes = ({ outputs }: TriageRun) =>
  outputs.draft_recommendation.proposals.map(({ change }) => change);
const points = ({ outputs }: TriageRun, code: string) =>
  outputs.classify.reasons.find((each) => each.code === code)?.points;
const check = ({ outputs }: TriageRun, code: string) =>
  outputs.guardrail_check.checks.find((each) => each.code === code);

describe('corrections', () => {
  test('five withdrawn decisions do not outweigh one remaining block', async () => {
    const device = await scene.addDevice('dev_a');
    const taken = [];
    for (let index = 0; index < 5; index += 1)
      taken.push(await scene.send(device, { indicators: [`x:${index}`] }));
    const critical = { confidence: 0.95, severity: 'critical', indicators: ['bad:1'] } as const;
    await scene.send(device, { ...critical, indicators: ['bad:1'] });
    const before = await run(await incidentOf(device));
    scene.clock.advance(MINUTE_MS);
    for (const eventId of taken) await withdraw(device, eventId);
    const triage = await run(await incidentOf(device));
    expect(points(triage, 'withdrawn')).toBe(0);
    expect(triage.outputs.classify.score).toBeGreaterThan(60);
    expect(triage.outputs.classify.score).toBeGreaterThanOrEqual(before.outputs.classify.score - 10);
    expect(check(triage, 'corrections_settled')).toMatchObject({ result: 'flagged', holds: true });
    expect(changes(triage)).toEqual([IN_PROGRESS]);
  });

  test('a correction that only weakens a decision does not withdraw it', async () => {
    const device = await scene.addDevice('dev_a');
    const root = await scene.send(device, { severity: 'critical', confidence: 0.99, indicators: ['bad:1'] });
    await withdraw(device, root, { action_taken: 'warn', indicators: ['other:1'] });
    await scene.addScan({ scan_id: 'scn_1', verdict: 'allow' });
    const triage = await run(await incidentOf(device), 'scn_1');
    expect(triage.outputs.classify.verdict).toBe('likely_false');
    expect(changes(triage)).toEqual([IN_PROGRESS]);
  });

  test('an event that one device withdraws while others still see it is not a false alarm', async () => {
    const device = await scene.addDevice('dev_a');
    const root = await scene.send(device, { severity: 'critical', indicators: ['bad:1'] });
    const incidentId = await incidentOf(device);
    await take(incidentId);
    await withdraw(device, root);
    expect(changes(await run(incidentId))).toEqual([FALSE_ALARM]);
    // Later events count here too.
    scene.clock.advance(2 * HOUR_MS);
    await scene.send(await scene.addDevice('dev_b'), { severity: 'critical', indicators: ['bad:1'] });
    const triage = await run(incidentId);
    expect(triage.outputs.collect_evidence.otherCount).toBe(1);
    expect(check(triage, 'corrections_settled')).toMatchObject({ result: 'flagged', holds: true });
    expect(check(triage, 'corrections_settled')?.refs).toContain('dev_b');
    expect(triage.outputs.classify.verdict).toBe('unclear');
    expect(changes(triage)).toEqual([IN_PROGRESS]);
  });

  test('an event withdrawn in an open campaign, or stopped by a scan, is not a false alarm', async () => {
    const others = ['dev_b', 'dev_c', 'dev_d'];
    const sent = [];
    for (const name of others) sent.push([name, await scene.send(await scene.addDevice(name))] as const);
    const campaign = await scene.newestIncident('campaign');
    await take(await incidentOf('dev_b'));
    for (const [name, eventId] of sent) await withdraw(name, eventId);
    const triage = await run(await incidentOf('dev_b'));
    expect(triage.outputs.collect_evidence.withdrawnElsewhere).toEqual([]);
    expect(check(triage, 'corrections_settled')?.refs).toContain(campaign.incidentId);
    expect(changes(triage)).toEqual([IN_PROGRESS]);

    const device = await scene.addDevice('dev_a');
    const single = await scene.send(device, { indicators: ['bad:9'] });
    await take(await incidentOf(device));
    await withdraw(device, single);
    await scene.addScan({ scan_id: 'scn_1', verdict: 'warn' });
    expect(changes(await run(await incidentOf(device)))).toEqual([FALSE_ALARM]);
    expect(changes(await run(await incidentOf(device), 'scn_1'))).toEqual([IN_PROGRESS]);
  });

  test('a flood of corrections of one event does not hide a correction of another', async () => {
    const device = await scene.addDevice('dev_a');
    const first = await scene.send(device, { indicators: ['x:1'] });
    const second = await scene.send(device, { indicators: ['x:2'] });
    const correction = await withdraw(device, first);
    for (let batch = 0; batch < 6; batch += 1)
      await scene.sendMany(
        Array.from({ length: 100 }, (_, index) => ({
          device_id: device,
          corrects_event_id: second,
          confidence: (batch * 100 + index) / 1000,
          indicators: ['x:2'],
        })),
      );
    const { load_inputs } = (await run(await incidentOf(device))).outputs;
    expect(load_inputs.events.map(({ eventId }) => eventId)).toContain(correction);
  });
});

describe('other cases', () => {
  test('incidents that ended because a device withdrew its events do not discredit a policy', async () => {
    const evil = await scene.addDevice('dev_evil');
    for (let index = 0; index < 4; index += 1) {
      await withdraw(evil, await scene.send(evil, { indicators: [`x:${index}`] }));
      expect(await scene.newestIncident()).toMatchObject(FALSE_ALARM);
      scene.clock.advance(26 * HOUR_MS);
    }
    const victim = await scene.addDevice('dev_victim');
    await scene.send(victim, { indicators: ['bad:1'] });
    const { outputs } = await run(await incidentOf(victim));
    expect(outputs.collect_evidence.policies).toMatchObject([
      { policyId: 'pol_phishing', falseIncidents: [] },
    ]);
    expect(points(await run(await incidentOf(victim)), 'policy_false')).toBeUndefined();
  });

  test('incidents of different categories on one device are unrelated', async () => {
    const device = await scene.addDevice('dev_a');
    const root = await scene.send(device, { indicators: ['x:1'] });
    await take(await incidentOf(device));
    await withdraw(device, root);
    const app = { threat_category: 'malicious_app', severity: 'critical', indicators: ['pkg:evil'] } as const;
    await scene.send(device, { ...app, indicators: ['pkg:evil'] });
    const alone = await run(await incidentOf(device, 'malicious_app'));
    expect(changes(alone)).toEqual([{ status: 'resolved', resolution: 'true_positive' }]);
    const phishing = await incidentOf(device, 'phishing');
    const both = await run(phishing, await incidentOf(device, 'malicious_app'));
    expect(check(both, 'one_matter')).toMatchObject({ result: 'flagged', holds: true });
    expect(changes(both)).toEqual([IN_PROGRESS, IN_PROGRESS]);
  });

  test('a shared indicator relates incidents of different categories', async () => {
    const device = await scene.addDevice('dev_a');
    await scene.send(device, { indicators: ['bad:1'] });
    await scene.send(device, { indicators: ['bad:1'], threat_category: 'malicious_app' });
    const ids = [await incidentOf(device, 'phishing'), await incidentOf(device, 'malicious_app')];
    expect(check(await run(...ids), 'one_matter')?.result).toBe('passed');
  });

  test('one device cannot clear an indicator for other devices', async () => {
    const evil = await scene.addDevice('dev_evil');
    for (const isTakenBack of [true, false]) {
      const eventId = await scene.send(evil, { indicators: ['bad:1'] });
      if (isTakenBack) await withdraw(evil, eventId);
      const incidentId = await incidentOf(evil);
      await scene.change(incidentId, { status: 'resolved', resolution: 'false_positive' });
      scene.clock.advance(26 * HOUR_MS);
    }
    const victim = await scene.addDevice('dev_victim');
    await scene.send(victim, { indicators: ['bad:1'] });
    expect(points(await run(await incidentOf(victim)), 'same_indicator_false')).toBeUndefined();

    const other = await scene.addDevice('dev_other');
    await withdraw(other, await scene.send(other, { indicators: ['bad:1'] }));
    await scene.change(await incidentOf(other), { status: 'resolved', resolution: 'false_positive' });
    await scene.send(await scene.addDevice('dev_last'), { indicators: ['bad:1'] });
    expect(points(await run(await incidentOf('dev_last')), 'same_indicator_false')).toBeUndefined();
  });

  test('a policy is scored by its share of false alarms, not by their number', async () => {
    const device = await scene.addDevice('dev_a');
    for (let index = 0; index < 12; index += 1) {
      await scene.send(device, { indicators: [`x:${index}`] });
      const resolution = index % 4 === 0 ? 'false_positive' : 'true_positive';
      await scene.change(await incidentOf(device), { status: 'resolved', resolution });
      scene.clock.advance(26 * HOUR_MS);
    }
    const other = await scene.addDevice('dev_b');
    await scene.send(other, { indicators: ['new:1'] });
    expect(points(await run(await incidentOf(other)), 'policy_false')).toBe(-6);
  });

  test('only a policy that has changed since lowers the score, and never to a false alarm', async () => {
    const device = await scene.addDevice('dev_a');
    const weak = { action_taken: 'warn', confidence: 0.45, severity: 'high' } as const;
    await scene.send(device, { ...weak, indicators: ['bad:1'] });
    const before = await run(await incidentOf(device));
    expect(points(before, 'policy_state')).toBeUndefined();
    scene.clock.advance(MINUTE_MS);
    await store.database.transaction(async (tx) => {
      await tx.db
        .updateTable('policies')
        .set({ updated_at: scene.clock.now() })
        .where('tenant_id', '=', scene.tenantId)
        .execute();
    });
    const after = await run(await incidentOf(device));
    expect(points(after, 'policy_state')).toBe(-10);
    expect([before, after].flatMap(changes)).toEqual([IN_PROGRESS, IN_PROGRESS]);
  });
});

describe('scans', () => {
  const block = { scan_id: 'scn_1', verdict: 'block' } as const;

  test('only the strongest scan counts, and only once', async () => {
    const device = await scene.addDevice('dev_a');
    await scene.send(device, { confidence: 0.2 });
    await scene.addScan(block);
    await scene.addScan({ ...block, scan_id: 'scn_2' });
    await scene.addScan({ ...block, scan_id: 'scn_3', verdict: 'allow' });
    const without = await run(await incidentOf(device));
    const beside = await run(await incidentOf(device), 'scn_1', 'scn_2', 'scn_3');
    expect(beside.outputs.classify.score).toBe(without.outputs.classify.score + 20);
  });

  test('a scan that only repeats threats of this case does not count', async () => {
    const device = await scene.addDevice('dev_a');
    await scene.send(device);
    const incidentId = await incidentOf(device);
    const [threat] = (await run(incidentId)).outputs.load_inputs.threats;
    const threats = [threat?.threatId ?? '', 'thr_beyond'].map((threatId) => ({
      threatId,
      category: 'phishing' as const,
      confidence: 0.9,
      severity: 'high' as const,
      lastSeenAtMs: scene.clock.now(),
    }));
    const findings = tenantFindings({ threats, devices: 1 }).map(toWire);
    await scene.addScan({ scan_id: 'scn_own', findings: findings.slice(0, 1) });
    await scene.addScan({ scan_id: 'scn_more', findings });
    expect(points(await run(incidentId, 'scn_own'), 'scan_scn_own')).toBe(0);
    expect(points(await run(incidentId, 'scn_own', 'scn_more'), 'scan_scn_more')).toBe(20);
  });
});

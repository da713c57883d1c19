import { useTestDatabase } from '@tps/testing/store';
import { beforeEach, expect, test } from 'vitest';
import { describeIncidents } from '../../incidents/index.ts';
import { incidentTriage } from '../incident-triage.ts';
import { approve, runTriage, type TriageRun } from '../testing/run-triage.ts';
import { MINUTE_MS, TriageScene } from '../testing/triage-scene.ts';

let scene: TriageScene;
let triage: TriageRun;
let incidentId: string;
let scenes = 0;

const store = useTestDatabase();
beforeEach(async () => {
  scenes += 1;
  scene = new TriageScene(store.database, `apply${scenes}`);
  await scene.addPolicy('pol_phishing');
  await scene.send(await scene.addDevice('dev_a'));
  ({ incidentId } = await scene.newestIncident());
  triage = await runTriage(store.database, scene.tenantId, [incidentId]);
  scene.clock.advance(MINUTE_MS);
});

const refusal = () => incidentTriage.findApprovalObstacle?.(store.database.read, triage.context);
const apply = (comment?: string) =>
  approve(store.database, triage, {
    nowMs: scene.clock.now(),
    ...(comment === undefined ? {} : { comment }),
  });

test('an approval changes the incident in the name of the reviewer and adds a timeline entry', async () => {
  await scene.change(incidentId, { assignee: 'Kim' });
  scene.clock.advance(MINUTE_MS);
  expect(await refusal()).toBeUndefined();
  await apply('seen it myself');
  const after = await scene.newestIncident();
  expect(after).toMatchObject({ status: 'resolved', resolution: 'true_positive', assignee: 'Kim' });
  const [described] = await describeIncidents(store.database.read, scene.tenantId, [after]);
  const entry = described?.timeline.at(-1);
  expect(entry?.actor).toBe('tok_reviewer');
  expect(entry?.message).toMatch(/Triage: likely genuine \(\d+ of 100\), approved: seen it myself/);
});

test('an approval does not reopen an incident that a correction has ended', async () => {
  const withdrawn = { corrects_event_id: 'evt_00001', action_taken: 'allow' } as const;
  await scene.send('dev_a', withdrawn);
  expect(await scene.newestIncident()).toMatchObject({ status: 'resolved', resolution: 'false_positive' });
  expect(await refusal()).toContain('Use amend to run the triage again');
  await expect(apply()).rejects.toMatchObject({ code: 'incident_changed' });
  expect(await scene.newestIncident()).toMatchObject({ status: 'resolved', resolution: 'false_positive' });
});

test('a comment of any length fits into the incident', async () => {
  await apply('x'.repeat(4000));
  const after = await scene.newestIncident();
  expect(after.status).toBe('resolved');
  const [described] = await describeIncidents(store.database.read, scene.tenantId, [after]);
  const [, comment = ''] = described?.timeline.at(-1)?.message.split('Comment: ') ?? [];
  expect(comment).toHaveLength(4000);
});

test.each([
  ['that joined later', {}],
  ['that joined with an older time', { timestamp: '2026-03-02T08:00:00.000Z' }],
  ['that corrects a known event', { corrects_event_id: 'evt_00001', severity: 'critical' }],
] as const)('an approval is refused after an event %s', async (_, members) => {
  await scene.send('dev_a', members);
  expect(await refusal()).toContain('Use amend to run the triage again');
  await expect(apply()).rejects.toMatchObject({ code: 'incident_changed' });
  expect((await scene.newestIncident()).status).toBe('open');
});

test('an approval is accepted after comments, tags and assignments', async () => {
  await scene.change(incidentId, { comment: 'looking at it', tags: ['parcel'] });
  await scene.change(incidentId, { status: 'in_progress' });
  expect(await refusal()).toBeUndefined();
  await apply();
  expect((await scene.newestIncident()).status).toBe('resolved');
});

test('a move to in_progress can be approved while events arrive', async () => {
  await scene.addMonitoringIncident('webhook whk_1', 'Webhook whk_1 has 12 dead letters');
  const { incidentId: monitoringId } = await scene.newestIncident('monitoring');
  triage = await runTriage(store.database, scene.tenantId, [monitoringId]);
  expect(triage.outputs.load_inputs.incidents[0]?.revision).toBe(1);
  await scene.addMonitoringIncident('webhook whk_1', 'Webhook whk_1 has 40 dead letters');
  expect(await refusal()).toBeUndefined();
  await apply();
  expect((await scene.newestIncident('monitoring')).status).toBe('in_progress');

  const warned = { action_taken: 'warn', severity: 'critical' } as const;
  await scene.send(await scene.addDevice('dev_b'), { ...warned, indicators: ['domain:b'] });
  const own = (await scene.incidents('phishing')).find(({ correlationKey }) => correlationKey === 'dev_b');
  triage = await runTriage(store.database, scene.tenantId, [own?.incidentId ?? '']);
  await scene.send('dev_b', { ...warned, indicators: ['domain:b'] });
  expect(await refusal()).toBeUndefined();
  await apply();
  expect((await scene.incidents('phishing')).map(({ status }) => status).sort()).toEqual([
    'in_progress',
    'open',
  ]);
});

test('an incident that is already in the proposed state stays unchanged', async () => {
  await scene.change(incidentId, { status: 'resolved', resolution: 'true_positive' });
  const before = await scene.newestIncident();
  expect(await refusal()).toBeUndefined();
  await apply();
  expect(await scene.newestIncident()).toEqual(before);
});

test('an incident that was resolved differently is neither changed nor reopened', async () => {
  await scene.change(incidentId, { status: 'resolved', resolution: 'duplicate' });
  expect(await refusal()).toContain('can no longer be changed');
  await expect(apply('mine')).rejects.toMatchObject({ code: 'invalid_state_transition' });

  const warned = await scene.send(await scene.addDevice('dev_b'), {
    action_taken: 'warn',
    severity: 'critical',
  });
  triage = await runTriage(store.database, scene.tenantId, [warned]);
  const [own] = triage.outputs.draft_recommendation.proposals;
  expect(own?.change).toEqual({ status: 'in_progress' });
  await scene.change(own?.incident_id ?? '', { status: 'resolved', resolution: 'test' });
  await expect(apply('mine')).rejects.toMatchObject({ code: 'invalid_state_transition' });
});

test('one changed incident prevents changes to all of them', async () => {
  const other = await scene.send(await scene.addDevice('dev_b'));
  triage = await runTriage(store.database, scene.tenantId, [other, 'evt_00001']);
  expect(triage.outputs.draft_recommendation.proposals).toHaveLength(2);
  await scene.send('dev_b');
  await expect(apply()).rejects.toMatchObject({ code: 'incident_changed' });
  expect((await scene.incidents('phishing')).map(({ status }) => status)).toEqual(['open', 'open']);
});

test('nothing is applied without an approval', async () => {
  const step = incidentTriage.steps.at(-1);
  const work = store.database.transaction(async (tx) => {
    const result = { output: null, guardrail: 'not_applicable' } as const;
    await step?.apply?.(tx, result, { ...triage.context, nowMs: 0 });
  });
  await expect(work).rejects.toMatchObject({ code: 'not_approved' });
});

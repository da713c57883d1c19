import { beforeEach, expect, test } from 'vitest';
import { firstIdAt } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { auditStore } from '../../audit/index.ts';
import { incidentStore } from '../../incidents/index.ts';
import type { JobRecord } from '../job.ts';
import * as jobStore from '../job-store.ts';
import { startTriages } from './automatic-triage.ts';
import { REQUEST, useJobScene } from './testing/job-scene.ts';

const MINUTE_MS = 60_000;

let tenantId: TenantId;

const scene = useJobScene({ scope: 'test' });

beforeEach(async () => {
  tenantId = await scene.createTenant();
  await setTriage({ triage_at_once: 2, triage_since: firstIdAt('inc', scene.clock.now()) });
});

function setTriage(members: {
  triage_at_once?: number | null;
  triage_since?: string;
  delete_after?: number;
}) {
  return scene.database.transaction(async (tx) => {
    await tx.db.updateTable('tenants').set(members).where('tenant_id', '=', tenantId).execute();
  });
}

function look(): Promise<void> {
  scene.clock.advance(1);
  return startTriages(scene.database, { workflow: scene.recording.workflow, nowMs: scene.clock.now() });
}

/** Makes incidents, each at a time of its own. */
async function openIncidents(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    scene.clock.advance(1);
    ids.push(await scene.createIncident(tenantId));
  }
  return ids;
}

/** Oldest first. */
async function listJobs(): Promise<JobRecord[]> {
  const page = { after: undefined, limit: 100 };
  const jobs = await jobStore.list(scene.database.read, tenantId, { status: undefined, page });
  return jobs.sort((a, b) => ((a.subjectId ?? '') < (b.subjectId ?? '') ? -1 : 1));
}

const subjects = async () => (await listJobs()).map(({ subjectId }) => subjectId);

test('each new grave incident gets a job in the name of the service, with an entry in the audit', async () => {
  const [incidentId = ''] = await openIncidents(1);
  await look();
  const [job] = await listJobs();
  expect(job).toMatchObject({
    ...{ subjectId: incidentId, inputRefs: [incidentId], createdBy: 'service', status: 'queued', maxRuns: 3 },
    dueAtMs: scene.clock.now(),
  });
  const page = { after: undefined, limit: 10 };
  const filter = { actionPrefix: 'job.', resourceId: job?.jobId };
  expect(await auditStore.list(scene.database.read, tenantId, filter, page)).toMatchObject([
    { action: 'job.create', actor: { type: 'service', id: 'service' }, request_id: null },
  ]);
  await look();
  expect(await listJobs()).toHaveLength(1);
});

test('what is not grave, is resolved, or was there before automation was turned on gets none', async () => {
  const earlier = firstIdAt('inc', scene.clock.now() - 1);
  await scene.createIncident(tenantId, { severity: 'medium' });
  await scene.createIncident(tenantId, { status: 'resolved' });
  await scene.createIncident(tenantId, { status: 'closed' });
  await scene.createIncident(tenantId, { incidentId: earlier });
  await look();
  expect(await listJobs()).toEqual([]);
});

test('a tenant without automation, or that is being deleted, gets none', async () => {
  await openIncidents(1);
  await setTriage({ triage_at_once: null });
  await look();
  await setTriage({ triage_at_once: 2, delete_after: 1 });
  await look();
  expect(await listJobs()).toEqual([]);
});

test('no more than the bound are under way at once, and those that found no room come in their order', async () => {
  const incidents = await openIncidents(5);
  await look();
  await look();
  expect(await subjects()).toEqual(incidents.slice(0, 2));
  const [first] = await listJobs();
  await scene.jobs.cancel(tenantId, first?.jobId ?? '', { comment: undefined, request: REQUEST });
  scene.clock.advance(600 * MINUTE_MS);
  await look();
  expect(await subjects()).toEqual(incidents.slice(0, 3));
  for (const { jobId, status } of await listJobs()) {
    if (status === 'queued')
      await scene.jobs.cancel(tenantId, jobId, { comment: undefined, request: REQUEST });
  }
  await look();
  expect(await subjects()).toEqual(incidents);
});

test('a job that waits for a person takes no room', async () => {
  const incidents = await openIncidents(5);
  await scene.startWorker();
  for (let round = 0; round < 3; round += 1) {
    await look();
    for (const { jobId } of await listJobs())
      await scene.becomes(tenantId, jobId, { status: 'waiting_review' });
  }
  expect(await subjects()).toEqual(incidents);
});

test('an incident whose id comes late is seen, and so is one that has become grave only now', async () => {
  const late = firstIdAt('inc', scene.clock.now() + MINUTE_MS);
  scene.clock.advance(600 * MINUTE_MS);
  await look();
  await scene.createIncident(tenantId, { incidentId: late });
  const mild = await scene.createIncident(tenantId, { severity: 'medium' });
  await look();
  expect(await subjects()).toEqual([late]);
  await scene.database.transaction(async (tx) => {
    await tx.db
      .updateTable('incidents')
      .set({ severity: 'critical' })
      .where('incident_id', '=', mild)
      .execute();
  });
  await look();
  expect(await subjects()).toEqual([late, mild]);
});

test('a job that people start for the incident is no reason to leave it out', async () => {
  const [incidentId = ''] = await openIncidents(1);
  await scene.createJob(tenantId, { input_refs: [incidentId] });
  await look();
  expect((await subjects()).filter((subject) => subject === incidentId)).toHaveLength(1);
});

test('of several nodes that look at once one begins each job', async () => {
  const incidents = await openIncidents(6);
  await setTriage({ triage_at_once: 4 });
  await Promise.all(Array.from({ length: 8 }, look));
  expect(await subjects()).toEqual(incidents.slice(0, 4));
});

test('a worker looks by itself', async () => {
  const [incidentId = ''] = await openIncidents(1);
  await scene.startWorker();
  await expect.poll(() => scene.effects(tenantId, incidentId)).toMatchObject({ publish_artifacts: 1 });
});

test('an incident that is resolved before its turn is left out, and blocks nobody', async () => {
  const incidents = await openIncidents(4);
  await look();
  const third = await incidentStore.find(scene.database.read, tenantId, incidents[2] ?? '');
  if (!third) throw new Error('the incident is gone');
  await scene.createIncident(tenantId, { ...third, status: 'resolved' });
  for (const { jobId } of await listJobs())
    await scene.jobs.cancel(tenantId, jobId, { comment: undefined, request: REQUEST });
  await look();
  expect(await subjects()).toEqual([incidents[0], incidents[1], incidents[3]]);
});

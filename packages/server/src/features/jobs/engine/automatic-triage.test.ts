import { beforeEach, expect, test } from 'vitest';
import { firstIdAt } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { auditStore } from '../../audit/index.ts';
import { incidentStore } from '../../incidents/index.ts';
import type { JobRecord } from '../job.ts';
import * as jobStore from '../job-store.ts';
import { startTriages } from './automatic-triage.ts';
import { useJobScene } from './testing/job-scene.ts';

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

function poll(): Promise<void> {
  scene.clock.advance(1);
  return startTriages(scene.database, { workflow: scene.recording.workflow, nowMs: scene.clock.now() });
}

/** Creates incidents, each at a different time. */
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
  const jobs = await jobStore.list(scene.database.read, tenantId, { filter: {}, page });
  return jobs.sort((a, b) => ((a.subjectId ?? '') < (b.subjectId ?? '') ? -1 : 1));
}

const subjects = async () => (await listJobs()).map(({ subjectId }) => subjectId);

test('each new high-severity incident gets a job created by the service, with an audit entry', async () => {
  const [incidentId = ''] = await openIncidents(1);
  await poll();
  const [job] = await listJobs();
  expect(job).toMatchObject({
    subjectId: incidentId,
    inputRefs: [incidentId],
    createdBy: 'service',
    status: 'queued',
    maxRuns: 3,
    dueAtMs: scene.clock.now(),
  });
  const page = { after: undefined, limit: 10 };
  const filter = { actionPrefix: 'job.', resourceId: job?.jobId };
  expect(await auditStore.list(scene.database.read, tenantId, filter, page)).toMatchObject([
    { action: 'job.create', actor: { type: 'service', id: 'service' }, request_id: null },
  ]);
  await poll();
  expect(await listJobs()).toHaveLength(1);
});

test('low-severity, resolved and older incidents get no job', async () => {
  const earlier = firstIdAt('inc', scene.clock.now() - 1);
  await scene.createIncident(tenantId, { severity: 'medium' });
  await scene.createIncident(tenantId, { status: 'resolved' });
  await scene.createIncident(tenantId, { status: 'closed' });
  await scene.createIncident(tenantId, { incidentId: earlier });
  await poll();
  expect(await listJobs()).toEqual([]);
});

test('a tenant without automation or one that is being deleted gets no jobs', async () => {
  await openIncidents(1);
  await setTriage({ triage_at_once: null });
  await poll();
  await setTriage({ triage_at_once: 2, delete_after: 1 });
  await poll();
  expect(await listJobs()).toEqual([]);
});

test('the limit on active jobs holds, and the remaining incidents follow in order', async () => {
  const incidents = await openIncidents(5);
  await poll();
  await poll();
  expect(await subjects()).toEqual(incidents.slice(0, 2));
  const [first] = await listJobs();
  await scene.jobs.cancel(tenantId, first?.jobId ?? '', {
    comment: undefined,
    request: scene.requestIn(tenantId),
  });
  scene.clock.advance(600 * MINUTE_MS);
  await poll();
  expect(await subjects()).toEqual(incidents.slice(0, 3));
  for (const { jobId, status } of await listJobs()) {
    if (status === 'queued')
      await scene.jobs.cancel(tenantId, jobId, { comment: undefined, request: scene.requestIn(tenantId) });
  }
  await poll();
  expect(await subjects()).toEqual(incidents);
});

test('a job that waits for a review does not count as active', async () => {
  const incidents = await openIncidents(5);
  await scene.startWorker();
  for (let round = 0; round < 3; round += 1) {
    await poll();
    for (const { jobId } of await listJobs())
      await scene.becomes(tenantId, jobId, { status: 'waiting_review' });
  }
  expect(await subjects()).toEqual(incidents);
});

test('an incident with a late id is triaged, and so is one whose severity was raised', async () => {
  const late = firstIdAt('inc', scene.clock.now() + MINUTE_MS);
  scene.clock.advance(600 * MINUTE_MS);
  await poll();
  await scene.createIncident(tenantId, { incidentId: late });
  const mild = await scene.createIncident(tenantId, { severity: 'medium' });
  await poll();
  expect(await subjects()).toEqual([late]);
  await scene.database.transaction(async (tx) => {
    await tx.db
      .updateTable('incidents')
      .set({ severity: 'critical' })
      .where('incident_id', '=', mild)
      .execute();
  });
  await poll();
  expect(await subjects()).toEqual([late, mild]);
});

test('an incident with a requested job is still triaged automatically', async () => {
  const [incidentId = ''] = await openIncidents(1);
  await scene.createJob(tenantId, { input_refs: [incidentId] });
  await poll();
  expect((await subjects()).filter((subject) => subject === incidentId)).toHaveLength(1);
});

test('nodes that poll at the same time start each job only once', async () => {
  const incidents = await openIncidents(6);
  await setTriage({ triage_at_once: 4 });
  await Promise.all(Array.from({ length: 8 }, poll));
  expect(await subjects()).toEqual(incidents.slice(0, 4));
});

test('a worker starts automatic triages without a wake-up', async () => {
  const [incidentId = ''] = await openIncidents(1);
  await scene.startWorker();
  await expect.poll(() => scene.effects(tenantId, incidentId)).toMatchObject({ publish_artifacts: 1 });
});

test('an incident that is resolved before its turn is skipped and does not block the others', async () => {
  const incidents = await openIncidents(4);
  await poll();
  const third = await incidentStore.find(scene.database.read, tenantId, incidents[2] ?? '');
  if (!third) throw new Error('the incident does not exist');
  await scene.createIncident(tenantId, { ...third, status: 'resolved' });
  for (const { jobId } of await listJobs())
    await scene.jobs.cancel(tenantId, jobId, { comment: undefined, request: scene.requestIn(tenantId) });
  await poll();
  expect(await subjects()).toEqual([incidents[0], incidents[1], incidents[3]]);
});

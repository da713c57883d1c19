import { ManualClock } from '@tps/testing/time';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { TenantId } from '../../../platform/tenant-id.ts';
import * as jobStore from '../job-store.ts';
import * as artifactStore from '../traces/artifact-store.ts';
import * as traceStore from '../traces/trace-store.ts';
import { claimJob } from './claim-job.ts';
import type { ClaimedJob } from './claimed-job.ts';
import { completeStep } from './complete-step.ts';
import { listDueTenants } from './due-tenant-read-model.ts';
import * as jobQueueStore from './job-queue-store.ts';
import { gate, onceEach, useJobScene } from './testing/job-scene.ts';
import { OWN_STEPS, recordingWorkflow } from './testing/recording-workflow.ts';

const LEASE_MS = 15_000;
const BEFORE_REVIEW = OWN_STEPS.filter((type) => type !== 'apply_decision');

let tenantId: TenantId;
let incidentId: string;

const scene = useJobScene({ scope: 'test' });

beforeEach(async () => {
  tenantId = await scene.createTenant();
  incidentId = await scene.createIncident(tenantId);
});

const create = () => scene.createJob(tenantId, { input_refs: [incidentId] });
const approve = (jobId: string) =>
  scene.jobs.review(tenantId, jobId, {
    review: { decision: 'approve', comment: 'yes' },
    request: scene.requestIn(tenantId),
  });

test('a job runs all its steps to the review, and after the approval to its end', async () => {
  await scene.startWorker();
  const { jobId, traceId } = await create();
  const waiting = await scene.becomes(tenantId, jobId, { status: 'waiting_review' });
  expect(waiting).toMatchObject({ nextStep: null, dueAtMs: null, leasedBy: null, reviewedBy: null });
  expect(scene.recording.begun).toEqual(BEFORE_REVIEW);
  expect((await scene.steps(tenantId, jobId)).slice(-3)).toEqual([
    '1 review_gate running',
    '1 review_decision pending',
    '1 apply_decision pending',
  ]);
  await approve(jobId);
  const ended = await scene.becomes(tenantId, jobId, { status: 'completed', reviewedBy: 'tok_reviewer' });
  expect(ended.version).toBeGreaterThan(waiting.version);
  for (const step of await scene.steps(tenantId, jobId)) expect(step).toMatch(/ succeeded$/);
  expect(await scene.effects(tenantId, incidentId)).toEqual(onceEach(OWN_STEPS));
  const trace = await traceStore.find(scene.database.read, tenantId, traceId);
  expect(trace?.finalStatus).toBe('completed');
});

test('a step receives the outputs of earlier steps, and the approval only after the review', async () => {
  await scene.startWorker();
  const { jobId, traceId } = await create();
  await scene.becomes(tenantId, jobId, { status: 'waiting_review' });
  const outputs = await traceStore.readOutputs(scene.database.read, tenantId, traceId);
  expect(outputs.classify).toEqual({
    type: 'classify',
    before: ['collect_evidence', 'correlate', 'load_inputs'],
  });
  const { rows } = await sql<{ actor: string }>`select distinct actor from incident_timeline`.execute(
    scene.database.read.db as never,
  );
  expect(rows).toEqual([{ actor: 'unapproved' }]);
});

test('artifacts are stored with their size and digest, and the job names them oldest first', async () => {
  await scene.startWorker();
  const { jobId } = await create();
  const job = await scene.becomes(tenantId, jobId, { status: 'waiting_review' });
  const page = { after: undefined, limit: 100 };
  const listed = await artifactStore.listOfJob(scene.database.read, tenantId, { jobId, page });
  expect(listed.map(({ artifactId }) => artifactId).reverse()).toEqual(job.artifactRefs);
  const report = listed.find(({ kind }) => kind === 'triage_report');
  // In UTF-8, two of the letters take two bytes each.
  expect(report?.sizeBytes).toBe((report?.content.length ?? 0) + 2);
  expect(report?.sha256).toMatch(/^[0-9a-f]{64}$/);
});

describe.each(OWN_STEPS)('when a worker is killed in the step %s', (type) => {
  test('another worker continues after the lease, and every step takes effect once', async () => {
    const lost = recordingWorkflow();
    const held = gate();
    lost.scripts[type] = { gather: held.pass };
    // Not stopped before the end of the test: it holds its claim like a killed process, and renews it as little.
    const victim = await scene.startWorker({ recording: lost, clock: stoppedClock() });
    const { jobId } = await create();
    if (type === 'apply_decision') {
      await scene.becomes(tenantId, jobId, { status: 'waiting_review' });
      await approve(jobId);
    }
    await held.reached;
    // No other node gets the job during the lease.
    expect(await claimAsOtherNode()).toBeUndefined();
    scene.clock.advance(LEASE_MS);
    await scene.startWorker();
    if (type !== 'apply_decision') {
      await scene.becomes(tenantId, jobId, { status: 'waiting_review' });
      await approve(jobId);
    }
    const ended = await scene.becomes(tenantId, jobId, { status: 'completed' });
    expect(await scene.effects(tenantId, incidentId)).toEqual(onceEach(OWN_STEPS));
    // The first worker resumes and has nothing left to do.
    held.open();
    await victim.stop();
    expect(await scene.effects(tenantId, incidentId)).toEqual(onceEach(OWN_STEPS));
    expect(await jobStore.find(scene.database.read, tenantId, jobId)).toEqual(ended);
    expect(ended.artifactRefs).toHaveLength(2);
  });
});

/** Shows the time of this moment for ever. */
function stoppedClock() {
  return new ManualClock(scene.clock.now());
}

test('a step that takes longer than a lease keeps its job', async () => {
  const held = gate();
  scene.recording.scripts.classify = { gather: held.pass };
  await scene.startWorker();
  const { jobId } = await create();
  await held.reached;
  for (let count = 0; count < 5; count += 1) {
    scene.clock.advance(0.9 * LEASE_MS);
    await scene.becomes(tenantId, jobId, { dueAtMs: scene.clock.now() + LEASE_MS });
    expect(await claimAsOtherNode()).toBeUndefined();
  }
  held.open();
  await scene.becomes(tenantId, jobId, { status: 'waiting_review', claims: 1 });
  expect(await scene.effects(tenantId, incidentId)).toEqual(onceEach(BEFORE_REVIEW));
});

test('a claim that was taken over is not renewed', async () => {
  await create();
  const lost = await claimAsOtherNode();
  scene.clock.advance(LEASE_MS);
  const current = await claimAsOtherNode();
  if (!lost || !current) throw new Error('nothing was claimed');
  const dueAtMs = scene.clock.now() + LEASE_MS;
  const renew = (claim: ClaimedJob) =>
    scene.database.transaction((tx) => jobQueueStore.renewLeases(tx, [claim], dueAtMs + 1));
  await renew(lost);
  expect(await jobStore.find(scene.database.read, tenantId, lost.jobId)).toMatchObject({ dueAtMs });
  await renew(current);
  expect(await jobStore.find(scene.database.read, tenantId, lost.jobId)).toMatchObject({
    dueAtMs: dueAtMs + 1,
  });
});

function claimAsOtherNode() {
  const nowMs = scene.clock.now();
  const workflowIds = [scene.recording.workflow.id];
  const lease = { nodeId: 'other node', workflowIds, nowMs, endsAtMs: nowMs + LEASE_MS };
  return scene.database.transaction((tx) => claimJob(tx, tenantId, lease));
}

test('on SQLite a new worker does not wait for the leases of a killed one', async () => {
  const { jobId } = await create();
  expect(await claimAsOtherNode()).toMatchObject({ jobId });
  await scene.startWorker();
  // On PostgreSQL another node may be alive.
  if (scene.database.engine === 'postgres') scene.clock.advance(LEASE_MS);
  await scene.becomes(tenantId, jobId, { status: 'waiting_review' });
});

test('a step that is recorded twice after a lost commit response takes effect once', async () => {
  await create();
  const claimed = await claimAsOtherNode();
  const [step] = scene.recording.workflow.steps;
  if (!claimed || !step) throw new Error('nothing was claimed');
  const nowMs = scene.clock.now();
  const done = {
    workflow: scene.recording.workflow,
    step,
    startedAtMs: nowMs,
    finishedAtMs: nowMs,
    context: { tenantId, inputRefs: [incidentId], outputs: {}, approval: null },
    run: { result: { output: null, guardrail: 'not_applicable' as const }, output: 'null' },
    leaseEndsAtMs: nowMs + LEASE_MS,
  };
  await completeStep(scene.database, claimed, done);
  await completeStep(scene.database, claimed, done);
  expect(await scene.effects(tenantId, incidentId)).toEqual({ load_inputs: 1 });
});

test('the steps of a later run sort after those of an earlier one even if the clock is set back', async () => {
  await scene.startWorker();
  const { jobId } = await create();
  await scene.becomes(tenantId, jobId, { status: 'waiting_review' });
  scene.clock.advance(-60 * LEASE_MS);
  const review = { decision: 'amend' as const, amendment: {} };
  await scene.jobs.review(tenantId, jobId, { review, request: scene.requestIn(tenantId) });
  const job = await scene.becomes(tenantId, jobId, { status: 'waiting_review', runCount: 2 });
  const runs = (await scene.steps(tenantId, jobId)).map((step) => step.charAt(0));
  expect(runs.join('')).toBe('1'.repeat(10) + '2'.repeat(10));
  expect([...job.artifactRefs].sort()).toEqual(job.artifactRefs);
});

describe('a worker that finishes a step too late writes nothing', () => {
  test('when the job was cancelled during the step', async () => {
    const held = gate();
    scene.recording.scripts.classify = { gather: held.pass };
    const worker = await scene.startWorker();
    const { jobId } = await create();
    await held.reached;
    const cancelled = await scene.jobs.cancel(tenantId, jobId, {
      comment: undefined,
      request: scene.requestIn(tenantId),
    });
    held.open();
    await worker.stop();
    expect(await jobStore.find(scene.database.read, tenantId, jobId)).toEqual(cancelled);
    expect(await scene.effects(tenantId, incidentId)).toEqual(
      onceEach(['load_inputs', 'collect_evidence', 'correlate']),
    );
    expect((await scene.steps(tenantId, jobId)).slice(2, 5)).toEqual([
      '1 correlate succeeded',
      '1 classify cancelled',
      '1 guardrail_check cancelled',
    ]);
  });

  test('when another node has taken over the job in the same step', async () => {
    const held = gate();
    scene.recording.scripts.classify = { gather: held.pass };
    const late = await scene.startWorker({ clock: stoppedClock() });
    const { jobId } = await create();
    await held.reached;
    scene.clock.advance(LEASE_MS);
    expect(await claimAsOtherNode()).toMatchObject({ jobId, claims: 2 });
    held.open();
    await late.stop();
    const job = await jobStore.find(scene.database.read, tenantId, jobId);
    expect(job).toMatchObject({ nextStep: 'classify', leasedBy: 'other node', status: 'running' });
    expect((await scene.effects(tenantId, incidentId)).classify).toBeUndefined();
  });
});

test('claims count as fruitless only until a step is finished', async () => {
  await scene.startWorker();
  const { jobId } = await create();
  const waiting = await scene.becomes(tenantId, jobId, { status: 'waiting_review' });
  expect(waiting).toMatchObject({ fruitlessClaims: 0, claims: 1 });
});

describe('a worker that stops', () => {
  test('finishes the running step, starts no other and releases the job', async () => {
    const held = gate();
    scene.recording.scripts.correlate = { gather: held.pass };
    const worker = await scene.startWorker();
    const { jobId } = await create();
    await held.reached;
    const stopped = worker.stop();
    held.open();
    await stopped;
    const job = await jobStore.find(scene.database.read, tenantId, jobId);
    expect(job).toMatchObject({
      status: 'running',
      nextStep: 'classify',
      leasedBy: null,
      dueAtMs: scene.clock.now(),
      fruitlessClaims: 0,
    });
    await scene.startWorker();
    await scene.becomes(tenantId, jobId, { status: 'waiting_review' });
    expect(await scene.effects(tenantId, incidentId)).toEqual(onceEach(BEFORE_REVIEW));
  });

  test('interrupts a step that does not end, and the job is due again immediately', async () => {
    const held = gate();
    scene.recording.scripts.load_inputs = { gather: held.pass };
    const worker = await scene.startWorker();
    const { jobId } = await create();
    await held.reached;
    await worker.stop();
    const job = await jobStore.find(scene.database.read, tenantId, jobId);
    expect(job).toMatchObject({
      status: 'running',
      nextStep: 'load_inputs',
      leasedBy: null,
      dueAtMs: scene.clock.now(),
      fruitlessClaims: 0,
    });
    scene.recording.scripts.load_inputs = {};
    await scene.startWorker();
    await scene.becomes(tenantId, jobId, { status: 'waiting_review' });
  });
});

test('a worker serves tenants in turn, even if one of them has many jobs', async () => {
  const gates = Array.from({ length: 5 }, gate);
  let begun = 0;
  scene.recording.scripts.load_inputs = { gather: async () => gates[begun++]?.pass() };
  for (let count = 0; count < 8; count += 1) await create();
  await scene.startWorker();
  await Promise.all(gates.slice(0, 4).map(({ reached }) => reached));
  // The other tenant's job was created last and still runs next.
  const other = await scene.createTenant();
  const theirs = await scene.createJob(other);
  expect(begun).toBe(4);
  gates[0]?.open();
  await gates[4]?.reached;
  await scene.becomes(other, theirs.jobId, { status: 'running' });
  for (const { open } of gates) open();
});

test('two workers on one store share the jobs and run each step once', async () => {
  const [one, two] = [recordingWorkflow(), recordingWorkflow()];
  await scene.startWorker({ recording: one });
  await scene.startWorker({ recording: two });
  const jobs = [];
  for (let count = 0; count < 24; count += 1) {
    const subject = await scene.createIncident(tenantId);
    jobs.push({ subject, job: await scene.createJob(tenantId, { input_refs: [subject] }) });
  }
  for (const { job, subject } of jobs) {
    await scene.becomes(tenantId, job.jobId, { status: 'waiting_review', claims: 1 });
    expect(await scene.effects(tenantId, subject)).toEqual(onceEach(BEFORE_REVIEW));
  }
  expect(one.begun.length + two.begun.length).toBe(24 * BEFORE_REVIEW.length);
  expect(Math.min(one.begun.length, two.begun.length)).toBeGreaterThan(0);
});

test('jobs of a tenant that is being deleted or of an unknown workflow do not run', async () => {
  const { jobId } = await create();
  const foreign = await create();
  await scene.database.transaction(async (tx) => {
    await tx.db
      .updateTable('jobs')
      .set({ workflow_id: 'of_a_newer_version' })
      .where('job_id', '=', foreign.jobId)
      .execute();
  });
  const search = { workflowIds: [scene.recording.workflow.id], nowMs: scene.clock.now() };
  const { read } = scene.database;
  expect(await listDueTenants(read, search)).toEqual([tenantId]);
  expect(await claimAsOtherNode()).toMatchObject({ jobId });
  expect(await listDueTenants(read, search)).toEqual([]);
  await scene.database.transaction(async (tx) => {
    await tx.db.updateTable('tenants').set({ delete_after: 1 }).execute();
  });
  scene.clock.advance(LEASE_MS);
  const later = { ...search, nowMs: scene.clock.now() };
  expect(await listDueTenants(read, later)).toEqual([]);
});

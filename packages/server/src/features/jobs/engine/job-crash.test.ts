import { execFile } from 'node:child_process';
import type { Artifact, Incident, Job, TraceStep } from '@tps/contract';
import { createEvent, registerDevice, toDeviceClient } from '@tps/simulator';
import { FROM_SOURCE, type SpawnedService, spawnService } from '@tps/testing/process';
import { repetitions } from '@tps/testing/soak';
import { createTestStore, type TestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../database/index.ts';
import { incidentTriage } from '../../triage/index.ts';

/** Where a process is killed: when a step begins, or when its changes are written but not committed. */
const ALL_BOUNDARIES = incidentTriage.steps.flatMap(({ type }) =>
  (['begun', 'written'] as const).map((moment) => ({ type, moment })),
);
/** Among them those of the last step, which writes. */
const BOUNDARIES = ALL_BOUNDARIES.slice(-repetitions({ short: 2, soak: ALL_BOUNDARIES.length }));
const SERVER = new URL('../../../', import.meta.url);

type Boundary = (typeof BOUNDARIES)[number];

/** Works on one job as the service does, and ends itself at the boundary, as in a power cut. */
function killedAt(
  { type, moment }: Boundary,
  { url, tenantId, incidentId }: { url: string; tenantId: string; incidentId: string },
): string {
  const from = (path: string) => JSON.stringify(new URL(`${path}.ts`, SERVER).href);
  return `
    import { openDatabase } from ${from('database/index')};
    import { RequestDatabase } from ${from('features/authority/index')};
    import { createOperator } from ${from('features/authority/testing/create-operator')};
    import { JobWorker } from ${from('features/jobs/engine/job-worker')};
    import { jobStore } from ${from('features/jobs/index')};
    import { JobService } from ${from('features/jobs/job-service')};
    import { incidentTriage } from ${from('features/triage/index')};
    import { systemClock as clock } from ${from('platform/clock')};
    import { FairTurns } from ${from('platform/concurrency/fair-turns')};
    import { createLogger } from ${from('platform/logger')};

    const tenantId = ${JSON.stringify(tenantId)};
    const incidentId = ${JSON.stringify(incidentId)};
    const die = ({ inputRefs }) => {
      if (inputRefs[0] === incidentId) process.kill(process.pid, 'SIGKILL');
    };
    const deadly = (step) => ({
      ...step,
      gather(queries, context) {
        if (${moment === 'begun'}) die(context);
        return step.gather(queries, context);
      },
      async apply(tx, result, context) {
        await step.apply?.(tx, result, context);
        if (${moment === 'written'}) die(context);
      },
    });
    const steps = incidentTriage.steps.map((step) => (step.type === ${JSON.stringify(type)} ? deadly(step) : step));
    const workflows = [{ ...incidentTriage, steps }];
    const database = await openDatabase(${JSON.stringify(url)});
    const logger = createLogger({ level: 'silent' });
    const worker = new JobWorker({ database, clock, logger, workflows, turns: new FairTurns(), stepMs: 10_000 });
    const requests = new RequestDatabase({ database, clock });
    const jobs = new JobService({ database: requests, clock, workflows, wake: () => worker.wake() });
    const request = (await createOperator(database, \`tok_\${process.pid}\`))(tenantId);
    const wanted = { workflow_id: incidentTriage.id, input_refs: [incidentId] };
    const { jobId } = await database.transaction((tx) => jobs.create(tx, wanted, request));
    worker.start();
    for (;;) {
      const job = await jobStore.find(database.read, tenantId, jobId);
      if (job.status === 'waiting_review') {
        await jobs.review(tenantId, jobId, { review: { decision: 'approve' }, request });
      }
      if (job.status === 'completed' || job.status === 'failed') break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    console.log('survived');
    process.exit(0);
  `;
}

/** Runs a script to its end. Returns the signal that ended it, and its output. */
function runScript(code: string): Promise<{ signal: string | null | undefined; said: string }> {
  return new Promise((resolve) => {
    const args = [...FROM_SOURCE, '--input-type=module', '--eval', code];
    execFile(process.execPath, args, { timeout: 120_000, killSignal: 'SIGTERM' }, (error, stdout, stderr) =>
      resolve({ signal: error?.signal ?? null, said: stdout + stderr }),
    );
  });
}

/** Creates a store with one incident per boundary. */
async function prepare(
  store: TestStore,
): Promise<{ tenantId: string; credential: string; incidents: string[] }> {
  const service = await spawnService({ env: { SERVICE_DATABASE_URL: store.url } });
  const { tenantId, admin: credential } = service.credentials();
  for (const _ of BOUNDARIES) {
    const device = await registerDevice({ baseUrl: service.baseUrl, tenantId, credential });
    const event = createEvent(device, { severity: 'high', action_taken: 'block' });
    expect((await toDeviceClient(device, service).submitEvent(event)).status).toBe(201);
  }
  const { data } = await readFrom(service, credential)<{ data: Incident[] }>('/incidents?limit=100');
  expect((await service.stop()).code).toBe(0);
  return { tenantId, credential, incidents: data.map(({ id }) => id) };
}

function readFrom({ baseUrl }: SpawnedService, credential: string) {
  return async <Body>(path: string, body?: object): Promise<Body> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect(response.status, path).toBe(200);
    return (await response.json()) as Body;
  };
}

/** Ends the leases of killed processes, which would take a minute. The worker's own tests cover their expiry. */
async function endLeases({ url }: TestStore): Promise<void> {
  const database = await openDatabase(url);
  await database.transaction((tx) =>
    tx.db.updateTable('jobs').set({ due_at: Date.now() }).where('due_at', 'is not', null).execute(),
  );
  await database.close();
}

/** Returns how often each incident was changed, by the audit trail. */
async function countChanges({ url }: TestStore): Promise<Map<string, number>> {
  const database = await openDatabase(url, { exclusive: false });
  const rows = await database.read.db
    .selectFrom('audit_entries')
    .select('resource_id')
    .where('action', '=', 'incident.update')
    .execute();
  await database.close();
  const counts = new Map<string, number>();
  for (const { resource_id: id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

test(`a triage killed at ${BOUNDARIES.length} boundaries resumes, each effect happens once`, async () => {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const { tenantId, credential, incidents } = await prepare(store);
  expect(incidents).toHaveLength(BOUNDARIES.length);
  for (const [index, boundary] of BOUNDARIES.entries()) {
    const incidentId = incidents[index] ?? '';
    const end = await runScript(killedAt(boundary, { url: store.url, tenantId, incidentId }));
    expect(end, `${boundary.type} ${boundary.moment}`).toEqual({ signal: 'SIGKILL', said: '' });
  }

  await endLeases(store);
  const service = await spawnService({ env: { SERVICE_DATABASE_URL: store.url } });
  const api = readFrom(service, credential);
  const listJobs = async () => (await api<{ data: Job[] }>('/jobs?limit=100')).data;
  await waitUntil(
    async () =>
      (await listJobs()).every(({ status }) => status === 'waiting_review' || status === 'completed'),
    15_000,
  );
  for (const { job_id: id, status } of await listJobs()) {
    if (status === 'waiting_review') await api(`/jobs/${id}/review`, { decision: 'approve' });
  }
  await waitUntil(async () => (await listJobs()).every(({ status }) => status === 'completed'));

  const jobs = await listJobs();
  expect(jobs).toHaveLength(BOUNDARIES.length);
  for (const job of jobs) {
    const { data: steps } = await api<{ data: TraceStep[] }>(`/jobs/${job.job_id}/steps?limit=100`);
    expect(steps.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'succeeded'));
    const { data: artifacts } = await api<{ data: Artifact[] }>(`/jobs/${job.job_id}/artifacts?limit=100`);
    expect(artifacts.map(({ artifact_id: id }) => id).sort()).toEqual([...job.artifact_refs].sort());
    expect(new Set(artifacts.map(({ kind }) => kind)).size).toBe(4);
    const incident = await api<Incident>(`/incidents/${job.input_refs[0]}`);
    expect(incident.timeline.filter(({ kind }) => kind === 'changed')).toHaveLength(1);
    expect(incident.status).not.toBe('open');
  }
  expect(await countChanges(store)).toEqual(new Map(incidents.map((id) => [id, 1])));
  expect((await service.stop()).code).toBe(0);
});

import { randomUUID } from 'node:crypto';
import type { NewJob, StepType } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { openTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Database } from '../../../../database/index.ts';
import { FairTurns } from '../../../../platform/concurrency/fair-turns.ts';
import type { AdmittedRequest } from '../../../../platform/http/route.ts';
import { createId } from '../../../../platform/identifiers.ts';
import { createLogger } from '../../../../platform/logger.ts';
import type { TenantId } from '../../../../platform/tenant-id.ts';
import { RequestDatabase } from '../../../authority/index.ts';
import { createOperator } from '../../../authority/testing/create-operator.ts';
import { type IncidentRecord, incidentStore } from '../../../incidents/index.ts';
import { TenantService } from '../../../tenants/tenant-service.ts';
import type { JobRecord } from '../../job.ts';
import { JobService } from '../../job-service.ts';
import * as jobStore from '../../job-store.ts';
import * as traceStore from '../../traces/trace-store.ts';
import { JobWorker } from '../job-worker.ts';
import { type RecordingWorkflow, recordingWorkflow } from './recording-workflow.ts';

export const REVIEWER = 'tok_reviewer';
const WITHIN = { timeout: 60_000, interval: 5 };

/** A store with a tenant, the job service on it, and workers that a test starts. */
export interface JobScene {
  readonly database: Database;
  readonly clock: ManualClock;
  readonly jobs: JobService;
  readonly recording: RecordingWorkflow;
  /** A request of the token `REVIEWER`. */
  readonly requestIn: (tenantId: TenantId) => AdmittedRequest;
  readonly log: () => string;
  createTenant(): Promise<TenantId>;
  createIncident(tenantId: TenantId, members?: Partial<IncidentRecord>): Promise<string>;
  createJob(tenantId: TenantId, members?: Partial<NewJob>): Promise<JobRecord>;
  /** Starts a worker with the scene's recording, or the given one. It is stopped with the scene. */
  startWorker(options?: {
    recording?: RecordingWorkflow;
    stepMs?: number;
    /** A clock that stands still keeps the worker from renewing its claims, as if it was killed. */
    clock?: ManualClock;
  }): Promise<JobWorker>;
  /** Resolves with the job once it has these members. */
  becomes(tenantId: TenantId, jobId: string, members: Partial<JobRecord>): Promise<JobRecord>;
  /** Returns how often each step took effect on the incident. */
  effects(tenantId: TenantId, incidentId: string): Promise<Partial<Record<StepType, number>>>;
  /** Steps of the job, oldest first, as `<run> <type> <status>`. */
  steps(tenantId: TenantId, jobId: string): Promise<string[]>;
  drop(): Promise<void>;
}

async function openJobScene(): Promise<JobScene> {
  const store = await openTestDatabase();
  const { database } = store;
  const clock = new ManualClock();
  const recording = recordingWorkflow();
  const workers: JobWorker[] = [];
  const lines: string[] = [];
  const logger = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const tenants = new TenantService({ database, clock });
  const wake = () => {
    for (const worker of workers) worker.wake();
  };
  const requests = new RequestDatabase({ database, clock });
  const requestIn = await createOperator(database, REVIEWER);
  const jobs = new JobService({ database: requests, clock, workflows: [recording.workflow], wake });

  const createIncident: JobScene['createIncident'] = async (tenantId, members = {}) => {
    const incident = { ...anIncident(clock.now()), ...members };
    await database.transaction((tx) => incidentStore.saveMany(tx, tenantId, [incident]));
    return incident.incidentId;
  };
  return {
    database,
    clock,
    jobs,
    recording,
    requestIn,
    createIncident,
    log: () => lines.join(''),
    createTenant: async () =>
      (await database.transaction((tx) => tenants.create(tx, { name: 'a', environment: 'test' }))).tenantId,
    async createJob(tenantId, members = {}) {
      const inputRefs = members.input_refs ?? [await createIncident(tenantId)];
      const wanted = { workflow_id: recording.workflow.id, ...members, input_refs: inputRefs };
      const job = await database.transaction((tx) => jobs.create(tx, wanted, requestIn(tenantId)));
      wake();
      return job;
    },
    async startWorker({ recording: { workflow } = recording, stepMs = 5_000, clock: own = clock } = {}) {
      const worker = new JobWorker({
        ...{ database, clock: own, logger, stepMs, turns: new FairTurns() },
        workflows: [workflow],
      });
      workers.push(worker);
      worker.start();
      return worker;
    },
    becomes: (tenantId, jobId, members) =>
      vi.waitFor(async () => {
        const job = await jobStore.find(database.read, tenantId, jobId);
        expect(job).toMatchObject(members);
        return job as JobRecord;
      }, WITHIN),
    effects: (tenantId, incidentId) => readEffects(database, tenantId, incidentId),
    async steps(tenantId, jobId) {
      const page = { after: undefined, limit: 100 };
      const steps = await traceStore.listSteps(database.read, tenantId, { of: { jobId }, page });
      return steps.reverse().map(({ run, type, status }) => `${run} ${type} ${status}`);
    },
    async drop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await store.drop();
    },
  };
}

/** Opens a scene for all tests of a file together, or for each test. */
export function useJobScene({ scope = 'file' }: { scope?: 'file' | 'test' } = {}): JobScene {
  return useFixture(openJobScene, { close: (scene) => scene.drop(), scope });
}

function anIncident(nowMs: number): IncidentRecord {
  return {
    incidentId: createId('inc', nowMs),
    category: 'phishing',
    correlationKey: `device ${randomUUID()}`,
    severity: 'high',
    status: 'open',
    message: 'Something happened',
    resolution: null,
    assignee: null,
    tags: [],
    version: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    lastEventAtMs: nowMs,
    acknowledgedAtMs: null,
    resolvedAtMs: null,
    firstResolvedAtMs: null,
  };
}

async function readEffects(
  { read }: Database,
  tenantId: TenantId,
  incidentId: string,
): Promise<Partial<Record<StepType, number>>> {
  const { rows } = await sql<{ message: string; times: number }>`
    select message, count(*) as times from incident_timeline
    where tenant_id = ${tenantId} and incident_id = ${incidentId} group by message`.execute(read.db as never);
  return Object.fromEntries(rows.map(({ message, times }) => [message, Number(times)]));
}

/** Returns one effect for each of these steps. */
export function onceEach(types: readonly StepType[]): Partial<Record<StepType, number>> {
  return Object.fromEntries(types.map((type) => [type, 1]));
}

/** Creates a gate: `pass` waits until the gate is opened, and `reached` resolves at the first `pass`. */
export function gate() {
  let reach = () => {};
  let open = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    reached,
    open: () => open(),
    pass: () => {
      reach();
      return opened;
    },
  };
}

import { STEP_TYPES } from '@tps/contract';
import { repetitions } from '@tps/testing/soak';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairTurns } from '../../../platform/concurrency/fair-turns.ts';
import { createLogger } from '../../../platform/logger.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { auditStore } from '../../audit/index.ts';
import * as jobStore from '../job-store.ts';
import * as traceStore from '../traces/trace-store.ts';
import { claimJob } from './claim-job.ts';
import type { ClaimedJob } from './claimed-job.ts';
import { runJob } from './run-job.ts';
import * as model from './testing/job-model.ts';
import { gate, REVIEWER, useJobScene } from './testing/job-scene.ts';
import { StepFailureError } from './workflow.ts';

interface Model {
  readonly jobs: model.ModelJob[];
}
interface Real {
  readonly tenantId: TenantId;
}
type Command = fc.AsyncCommand<Model, Real>;

const ALL = { after: undefined, limit: 100 };
const logger = createLogger({ level: 'fatal', destination: { write: () => {} } });

const scene = useJobScene();

function claimNext(tenantId: TenantId): Promise<ClaimedJob | undefined> {
  const nowMs = scene.clock.now();
  const workflowIds = [scene.recording.workflow.id];
  const lease = { nodeId: 'node', workflowIds, nowMs, endsAtMs: nowMs + model.LEASE_MS };
  return scene.database.transaction((tx) => claimJob(tx, tenantId, lease));
}

/** Runs one step of a claimed job and releases it. */
function doOneStep(claimed: ClaimedJob): Promise<void> {
  const { database, clock, recording } = scene;
  const stop = new AbortController();
  return runJob(claimed, {
    database,
    clock,
    logger,
    workflows: [recording.workflow],
    turns: new FairTurns(),
    stepMs: 5_000,
    leaseMs: model.LEASE_MS,
    stopping: stop.signal,
    interruption: new AbortController().signal,
    observe: () => stop.abort(),
  });
}

/** Claims in the model and in the store, which must agree on the next job. */
async function claimBoth(m: Model, { tenantId }: Real) {
  const expected = model.claim(m.jobs, scene.clock.now());
  const claimed = await claimNext(tenantId);
  expect(claimed?.jobId).toBe(expected?.jobId);
  return expected && claimed && { expected, claimed };
}

const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: { code: string }) => error.code,
  );

/** Creates a command that compares all jobs with the model afterwards. */
function command(name: string, run: (m: Model, r: Real) => Promise<unknown>): Command {
  return {
    check: () => true,
    toString: () => name,
    async run(m, r) {
      scene.clock.advance(1);
      await run(m, r);
      for (const job of m.jobs) await expectAsModelled(r.tenantId, job);
    },
  };
}

async function expectAsModelled(tenantId: TenantId, expected: model.ModelJob): Promise<void> {
  const { read } = scene.database;
  const { jobId, incidentId, status, runs } = expected;
  const job = await jobStore.find(read, tenantId, jobId);
  expect(job).toMatchObject({
    status,
    runCount: runs.length,
    maxRuns: expected.maxRuns,
    errorCode: expected.errorCode,
    dueAtMs: expected.dueAtMs,
    fruitlessClaims: expected.fruitless,
    nextStep: expected.next === null ? null : STEP_TYPES[expected.next],
    reviewedBy: expected.reviewed ? REVIEWER : null,
  });
  expect(job?.artifactRefs).toHaveLength(expected.artifacts);
  expect(await scene.steps(tenantId, jobId)).toEqual(
    runs.flatMap((steps, run) =>
      steps.map((state, position) => `${run + 1} ${STEP_TYPES[position]} ${state}`),
    ),
  );
  expect(await scene.effects(tenantId, incidentId)).toEqual(expected.effects);
  const steps = await traceStore.listSteps(read, tenantId, { of: { jobId }, page: ALL });
  for (const traceId of new Set(steps.map((step) => step.traceId))) {
    const ended = traceId === job?.traceId ? status : 'amended';
    const trace = await traceStore.find(read, tenantId, traceId);
    expect(trace?.finalStatus).toBe(model.hasEnded(expected) ? ended : null);
  }
  const audit = await auditStore.list(read, tenantId, { actionPrefix: 'job.', resourceId: jobId }, ALL);
  expect(audit.map(({ action }) => action).reverse()).toEqual(expected.audit);
}

const create = fc.integer({ min: 1, max: 3 }).map((maxRuns) =>
  command(`create(max_runs ${maxRuns})`, async (m, { tenantId }) => {
    if (m.jobs.length >= 6) return;
    const incidentId = await scene.createIncident(tenantId);
    const job = await scene.createJob(tenantId, { input_refs: [incidentId], max_runs: maxRuns });
    m.jobs.push(model.createModel({ jobId: job.jobId, incidentId }, maxRuns, scene.clock.now()));
  }),
);

const steps = fc.integer({ min: 1, max: 12 }).map((count) =>
  command(`steps(${count})`, async (m, r) => {
    for (let done = 0; done < count; done += 1) {
      const both = await claimBoth(m, r);
      if (!both) return;
      await doOneStep(both.claimed);
      model.finishStep(both.expected, scene.clock.now());
      scene.clock.advance(1);
    }
  }),
);

const killed = command('killed in a step', async (m, r) => {
  await claimBoth(m, r);
  scene.clock.advance(model.LEASE_MS);
});

const failed = command('failing step', async (m, r) => {
  const both = await claimBoth(m, r);
  if (!both) return;
  const type = STEP_TYPES[both.expected.next ?? 0] as 'classify';
  scene.recording.scripts[type] = {
    apply: () => {
      throw new StepFailureError('made_to_fail', 'Made to fail by the test');
    },
  };
  await doOneStep(both.claimed);
  scene.recording.scripts[type] = {};
  model.fail(both.expected, 'made_to_fail');
});

/** Lets something happen to a job while a worker runs its step. `happen` returns whether the worker still holds the job. */
function during(name: string, happen: (m: Model, r: Real, job: model.ModelJob) => Promise<boolean>): Command {
  return command(name, async (m, r) => {
    const both = await claimBoth(m, r);
    if (!both) return;
    const type = STEP_TYPES[both.expected.next ?? 0] as 'classify';
    const held = gate();
    scene.recording.scripts[type] = { gather: held.pass };
    const late = doOneStep(both.claimed);
    await held.reached;
    scene.recording.scripts[type] = {};
    const isStillIts = await happen(m, r, both.expected);
    held.open();
    await late;
    if (isStillIts) model.finishStep(both.expected, scene.clock.now());
  });
}

const cancelledMeanwhile = during('cancelled in the middle of a step', async (_m, { tenantId }, job) => {
  await scene.jobs.cancel(tenantId, job.jobId, { comment: undefined, request: scene.requestIn(tenantId) });
  model.cancel(job);
  return false;
});

const overtaken = during('overtaken in the middle of a step', async (m, r, job) => {
  scene.clock.advance(model.LEASE_MS + 1);
  // Other due jobs come first.
  for (let turns = 0; turns < 8; turns += 1) {
    const both = await claimBoth(m, r);
    if (!both) break;
    await doOneStep(both.claimed);
    model.finishStep(both.expected, scene.clock.now());
    if (both.expected === job) return false;
    scene.clock.advance(1);
  }
  return job.status === 'running';
});

const which = fc.nat({ max: 5 });

/** Picks a job: usually one that waits for a review, otherwise any, including ended ones. */
function pick(m: Model, index: number, isAny: boolean): model.ModelJob | undefined {
  const waiting = isAny ? [] : m.jobs.filter(({ status }) => status === 'waiting_review');
  const among = waiting.length > 0 ? waiting : m.jobs;
  return among[index % Math.max(1, among.length)];
}

const cancel = which.map((index) =>
  command(`cancel(${index})`, async (m, { tenantId }) => {
    const job = pick(m, index, true);
    if (!job) return;
    const wanted = { comment: undefined, request: scene.requestIn(tenantId) };
    expect(await codeOf(scene.jobs.cancel(tenantId, job.jobId, wanted))).toBe(model.cancel(job));
  }),
);

const decision: fc.Arbitrary<model.ModelReview> = fc.oneof(
  fc.constantFrom<model.ModelReview>({ decision: 'approve' }, { decision: 'reject' }, { decision: 'cancel' }),
  fc.record({
    decision: fc.constant('amend' as const),
    amendment: fc.record({ max_runs: fc.integer({ min: 1, max: 4 }) }, { requiredKeys: [] }),
  }),
);

const review = fc.tuple(which, fc.nat({ max: 3 }), decision).map(([index, chance, wanted]) =>
  command(`review(${index}, ${chance}, ${JSON.stringify(wanted)})`, async (m, { tenantId }) => {
    const job = pick(m, index, chance === 0);
    if (!job) return;
    const done = scene.jobs.review(tenantId, job.jobId, {
      review: wanted,
      request: scene.requestIn(tenantId),
    });
    expect(await codeOf(done)).toBe(model.review(job, wanted, scene.clock.now()));
  }),
);

test('after any sequence of operations, the jobs are in the state of the model', async () => {
  const commands = fc.commands(
    [
      // Repeated as weights: mostly commands that advance jobs, so that jobs get far before they end.
      ...[create, create, steps, steps, steps, steps, steps, review, review, review, review, cancel],
      ...[killed, killed, overtaken, failed, cancelledMeanwhile].map((one) => fc.constant(one)),
    ],
    { maxCommands: 80, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const tenantId = await scene.createTenant();
      await fc.asyncModelRun(() => ({ model: { jobs: [] }, real: { tenantId } }), sequence);
    }),
    // A third on the second store: the model is the same.
    { numRuns: repetitions({ short: 6, soak: process.env.TEST_STORE === 'postgres' ? 8 : 25 }) },
  );
});

import type { StepType } from '@tps/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import * as jobStore from '../job-store.ts';
import * as traceStore from '../traces/trace-store.ts';
import { claimJob } from './claim-job.ts';
import { gate, onceEach, useJobScene } from './testing/job-scene.ts';
import { OWN_STEPS } from './testing/recording-workflow.ts';
import { StepFailureError } from './workflow.ts';

const LEASE_MS = 60_000;
const BEFORE_REVIEW = OWN_STEPS.filter((type) => type !== 'apply_decision');

let tenantId: TenantId;
let incidentId: string;

const scene = useJobScene({ scope: 'test' });

beforeEach(async () => {
  tenantId = await scene.createTenant();
  incidentId = await scene.createIncident(tenantId);
});

const create = () => scene.createJob(tenantId, { input_refs: [incidentId] });
function claimAsOtherNode() {
  const nowMs = scene.clock.now();
  const workflowIds = [scene.recording.workflow.id];
  const lease = { nodeId: 'other node', workflowIds, nowMs, endsAtMs: nowMs + LEASE_MS };
  return scene.database.transaction((tx) => claimJob(tx, tenantId, lease));
}

function fail(error: Error): never {
  throw error;
}

describe('a job fails', () => {
  async function expectFailure(type: StepType, errorCode: string) {
    const { jobId } = await create();
    const job = await scene.becomes(tenantId, jobId, { status: 'failed', errorCode });
    expect(job).toMatchObject({ nextStep: null, dueAtMs: null, leasedBy: null });
    const steps = await scene.steps(tenantId, jobId);
    const at = steps.indexOf(`1 ${type} failed`);
    expect(at).toBeGreaterThanOrEqual(0);
    for (const step of steps.slice(at + 1)) expect(step).toMatch(/ skipped$/);
    const trace = await traceStore.find(scene.database.read, tenantId, job.traceId);
    expect(trace?.finalStatus).toBe('failed');
    const failed = await traceStore.findStep(scene.database.read, tenantId, { traceId: job.traceId, type });
    expect(failed).toMatchObject({ errorCode, finishedAtMs: scene.clock.now() });
  }

  test('with the error code of its step', async () => {
    scene.recording.scripts.correlate = {
      run: () => fail(new StepFailureError('inputs_gone', 'The inputs do not exist')),
    };
    await scene.startWorker();
    await expectFailure('correlate', 'inputs_gone');
  });

  test('as step_failed after any other error, whose message is not logged', async () => {
    scene.recording.scripts.correlate = { run: () => fail(new TypeError('a message of a victim')) };
    await scene.startWorker();
    await expectFailure('correlate', 'step_failed');
    expect(scene.log()).toContain('job step failed');
    expect(scene.log()).toContain('TypeError');
    expect(scene.log()).not.toContain('victim');
  });

  test('as step_timeout when reading takes too long', async () => {
    const held = gate();
    scene.recording.scripts.collect_evidence = { gather: held.pass };
    await scene.startWorker({ stepMs: 50 });
    await expectFailure('collect_evidence', 'step_timeout');
  });

  test('as step_timeout when evaluating takes too long', async () => {
    scene.recording.scripts.classify = {
      run: () => {
        for (const beganMs = performance.now(); performance.now() - beganMs < 60; );
      },
    };
    await scene.startWorker({ stepMs: 50 });
    await expectFailure('classify', 'step_timeout');
  });

  test('as output_too_large when a step exceeds the output limit', async () => {
    const { workflow } = scene.recording;
    const steps = workflow.steps.map((step) => ({
      ...step,
      run: () => ({ output: 'x'.repeat(5 * 1024 * 1024), guardrail: 'not_applicable' as const }),
    }));
    await scene.startWorker({ recording: { ...scene.recording, workflow: { ...workflow, steps } } });
    await expectFailure('load_inputs', 'output_too_large');
  });

  test('and the changes of the failed step are rolled back', async () => {
    scene.recording.scripts.publish_artifacts = { apply: () => fail(new StepFailureError('refused', 'No')) };
    await scene.startWorker();
    await expectFailure('publish_artifacts', 'refused');
    const effects = await scene.effects(tenantId, incidentId);
    expect(effects.draft_recommendation).toBe(1);
    expect(effects.publish_artifacts).toBeUndefined();
  });

  test('as step_abandoned when it crashes the process each time, and the next job runs', async () => {
    const { jobId } = await create();
    for (let claims = 1; claims <= 5; claims += 1) {
      expect(await claimAsOtherNode()).toMatchObject({ jobId, claims });
      scene.clock.advance(LEASE_MS);
    }
    const other = await create();
    await scene.startWorker();
    await scene.becomes(tenantId, other.jobId, { status: 'waiting_review' });
    const job = await jobStore.find(scene.database.read, tenantId, jobId);
    expect(job).toMatchObject({ status: 'failed', errorCode: 'step_abandoned', claims: 5 });
    expect((await scene.steps(tenantId, jobId)).slice(0, 2)).toEqual([
      '1 load_inputs failed',
      '1 collect_evidence skipped',
    ]);
  });
});

describe('when the store is unreachable', () => {
  test('the step is retried until the store responds', async () => {
    let failures = 3;
    scene.recording.scripts.correlate = {
      gather: async () => {
        if (failures-- > 0) throw new ServiceError('unavailable', 'The store is not reachable');
      },
    };
    await scene.startWorker();
    const { jobId } = await create();
    await scene.becomes(tenantId, jobId, { status: 'waiting_review' });
    expect(scene.recording.begun.filter((type) => type === 'correlate')).toHaveLength(4);
    expect(await scene.effects(tenantId, incidentId)).toEqual(onceEach(BEFORE_REVIEW));
  });

  test('the job fails if its own statements are what the store aborts', async () => {
    const cause = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    scene.recording.scripts.correlate = {
      gather: async () => fail(new ServiceError('unavailable', 'The store is not reachable', { cause })),
    };
    await scene.startWorker();
    const { jobId } = await create();
    await scene.becomes(tenantId, jobId, { status: 'failed', errorCode: 'step_failed' });
  });

  test('a worker that stops does not wait for the store', async () => {
    const held = gate();
    scene.recording.scripts.correlate = {
      gather: async () => {
        await held.pass();
        throw new ServiceError('unavailable', 'The store is not reachable');
      },
    };
    const worker = await scene.startWorker();
    const { jobId } = await create();
    await held.reached;
    const stopped = worker.stop();
    held.open();
    await stopped;
    expect(await jobStore.find(scene.database.read, tenantId, jobId)).toMatchObject({ status: 'running' });
  });
});

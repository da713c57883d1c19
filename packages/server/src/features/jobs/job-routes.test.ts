import type { Artifact, Job, Trace, TraceStep } from '@tps/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/signed-send.ts';
import { registerTestDevice, type TestDevice } from '../../testing/test-device.ts';
import { startTestService, type TestService, type TestTenant } from '../../testing/test-service.ts';
import { gate } from '../workflow/testing/job-scene.ts';
import { type RecordingWorkflow, recordingWorkflow } from '../workflow/testing/recording-workflow.ts';

const TRIAGE = 'incident_triage_v1';
const WITHIN = { timeout: 10_000, interval: 10 };

let service: TestService;
let recording: RecordingWorkflow;
let device: TestDevice;
let tenant: TestTenant;
let other: TestTenant;
let incidentId: string;

beforeAll(async () => {
  recording = recordingWorkflow();
  service = await startTestService({ workflows: [recording.workflow] });
  other = await service.createTenant();
});

afterAll(async () => {
  await service.stop();
});

beforeEach(async () => {
  tenant = await service.createTenant();
  device = await registerTestDevice(service, { tenant });
  await device.post(device.event({ indicators: ['sig:1'] }));
  incidentId = (await read<{ data: { id: string }[] }>('/incidents')).data[0]?.id ?? '';
  for (const type of Object.keys(recording.scripts)) delete recording.scripts[type as 'classify'];
  recording.obstacle = undefined;
});

function send(method: string, path: string, body?: object, options: { as?: TestTenant; key?: string } = {}) {
  const { as = tenant, key } = options;
  return service.client.send(method, path, {
    credential: as.credential,
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
}

async function read<Body>(path: string): Promise<Body> {
  return (await send('GET', path)).body as Body;
}

async function create(members: object = {}): Promise<Job> {
  const body = { workflow_id: TRIAGE, input_refs: [incidentId], ...members };
  const answer = await send('POST', '/jobs', body);
  expect(answer.status).toBe(201);
  return answer.body as Job;
}

function becomes(jobId: string, status: Job['status']): Promise<Job> {
  return vi.waitFor(async () => {
    const job = await read<Job>(`/jobs/${jobId}`);
    expect(job.status).toBe(status);
    return job;
  }, WITHIN);
}

async function createWaiting(members: object = {}): Promise<Job> {
  return becomes((await create(members)).job_id, 'waiting_review');
}

const review = (jobId: string, body: object, as?: TestTenant) =>
  send('POST', `/jobs/${jobId}/review`, body, as && { as });

/** Status and code of a refusal, and the member that it names. */
async function refusalOf(sent: ReturnType<typeof send>) {
  const answer = await sent;
  const { message } = (answer.body as { error: { message: string } }).error;
  return { is: `${answer.status} ${codeOf(answer)}`, message };
}

async function walk<Item>(path: string, limit: number): Promise<Item[]> {
  const walked: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const sign = path.includes('?') ? '&' : '?';
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: { data: Item[]; next_cursor: string | null; has_more: boolean } = await read(
      `${path}${sign}limit=${limit}${more}`,
    );
    expect(page.data.length).toBeLessThanOrEqual(limit);
    expect(page.has_more).toBe(page.next_cursor !== null);
    walked.push(...page.data);
    cursor = page.next_cursor;
  }
  return walked;
}

describe('POST /jobs', () => {
  test('queues a job that can be read where Location says', async () => {
    const answer = await send('POST', '/jobs', { workflow_id: TRIAGE, input_refs: [incidentId] });
    const job = answer.body as Job;
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/jobs/${job.job_id}`);
    expect(job).toMatchObject({
      ...{ status: 'queued', workflow_id: TRIAGE, input_refs: [incidentId], max_runs: 3, run_count: 1 },
      ...{ artifact_refs: [], reviewed_by: null, error_code: null, version: 1 },
    });
    expect(job.created_by).toMatch(/^tok_/);
    const read = (await becomes(job.job_id, 'waiting_review')) as Job;
    expect({ ...read, status: 'queued' }).toMatchObject({ job_id: job.job_id, trace_id: job.trace_id });
  });

  test.each([
    [{ input_refs: [] }, '400 invalid_field', 'input_refs'],
    [{ input_refs: ['dev_1'] }, '400 invalid_field', 'input_refs[0]'],
    [{ input_refs: ['inc_1', 'inc_1'] }, '400 invalid_field', 'input_refs'],
    [{ input_refs: Array.from({ length: 51 }, (_, n) => `inc_${n}`) }, '400 invalid_field', 'input_refs'],
    [{ max_runs: 0 }, '400 invalid_field', 'max_runs'],
    [{ max_runs: 11 }, '400 invalid_field', 'max_runs'],
    [{ colour: 'red' }, '400 invalid_field', 'colour'],
    [{ workflow_id: 'other' }, '400 unsupported_workflow', 'workflow_id'],
    [{ workflow_id: undefined }, '400 missing_field', 'workflow_id'],
  ])('refuses %j as %s', async (members, is, named) => {
    const body = { workflow_id: TRIAGE, input_refs: [incidentId], ...members };
    const refusal = await refusalOf(send('POST', '/jobs', body));
    expect(refusal.is).toBe(is);
    expect(refusal.message).toContain(named);
    expect((await read<{ data: Job[] }>('/jobs')).data).toEqual([]);
  });

  test('takes references of each kind that there is, fifty at once', async () => {
    const noun = async (path: string, id: string) =>
      (await read<{ data: Record<string, string>[] }>(path)).data[0]?.[id] ?? '';
    await service.service.database.transaction((tx) =>
      tx.insertMany('scans', [{ tenant_id: tenant.tenantId, scan_id: 'scn_1', result: '{}', created_at: 1 }]),
    );
    const events = Array.from({ length: 46 }, () => device.event());
    for (const event of events) await device.post(event);
    const refs = [
      incidentId,
      await noun('/alerts', 'alert_id'),
      await noun('/threats', 'threat_id'),
      'scn_1',
      ...events.map(({ event_id: id }) => id),
    ];
    expect((await create({ input_refs: refs })).input_refs).toEqual(refs);
    for (const [index, ref] of [...refs.slice(0, 5).entries()]) {
      const body = { workflow_id: TRIAGE, input_refs: [...refs.slice(0, index), `${ref}x`] };
      const refusal = await refusalOf(send('POST', '/jobs', body));
      expect(refusal.is).toBe('404 not_found');
      expect(refusal.message).toContain(`input_refs[${index}]`);
    }
  });

  test("another tenant's reference looks as if it did not exist", async () => {
    const body = { workflow_id: TRIAGE, input_refs: [incidentId] };
    const absent = await refusalOf(
      send('POST', '/jobs', { ...body, input_refs: ['inc_nothing'] }, { as: other }),
    );
    expect(await refusalOf(send('POST', '/jobs', body, { as: other }))).toEqual(absent);
    expect(absent.is).toBe('404 not_found');
  });

  test('repeats its first answer for a repeated Idempotency-Key, and refuses another body', async () => {
    const body = { workflow_id: TRIAGE, input_refs: [incidentId] };
    const first = await send('POST', '/jobs', body, { key: 'once' });
    const again = await send('POST', '/jobs', body, { key: 'once' });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect((await read<{ data: Job[] }>('/jobs')).data).toHaveLength(1);
    const conflict = send('POST', '/jobs', { ...body, max_runs: 2 }, { key: 'once' });
    expect((await refusalOf(conflict)).is).toBe('409 idempotency_conflict');
  });
});

describe('POST /jobs/{id}/cancel', () => {
  test('ends a job that waits, is queued or runs, and says so in its steps and its trace', async () => {
    const { job_id: jobId, trace_id: traceId } = await createWaiting();
    const answer = await send('POST', `/jobs/${jobId}/cancel`, { comment: 'opened\ntwice' });
    expect([answer.status, (answer.body as Job).status]).toEqual([200, 'cancelled']);
    expect(await read<Trace>(`/traces/${traceId}`)).toMatchObject({ final_status: 'cancelled', run: 1 });
    const steps = (await read<{ data: TraceStep[] }>(`/jobs/${jobId}/steps`)).data;
    expect(steps.slice(0, 4).map(({ step_type: type, status }) => `${type} ${status}`)).toEqual([
      'apply_decision cancelled',
      'review_decision cancelled',
      'review_gate cancelled',
      'publish_artifacts succeeded',
    ]);
    const { data } = await read<{ data: object[] }>(`/jobs/${jobId}/audit?action=job.cancel`);
    expect(data).toMatchObject([
      { detail: 'Job cancelled: opened twice', fields: { from: 'waiting_review' } },
    ]);
  });

  test('is refused when the job is over, and may come without a body', async () => {
    const { job_id: jobId } = await create();
    expect((await send('POST', `/jobs/${jobId}/cancel`)).status).toBe(200);
    const refusal = await refusalOf(send('POST', `/jobs/${jobId}/cancel`));
    expect(refusal.is).toBe('422 invalid_job_state');
    expect(refusal.message).toContain('cancelled');
    expect((await read<{ data: object[] }>(`/jobs/${jobId}/audit?action=job.cancel`)).data).toHaveLength(1);
  });
});

describe('POST /jobs/{id}/review', () => {
  test('approve carries the recommendation out in the name of the reviewer', async () => {
    const { job_id: jobId, created_by: reviewer } = await createWaiting();
    const answer = await review(jobId, { decision: 'approve', comment: 'yes' });
    expect([answer.status, answer.body]).toMatchObject([200, { status: 'running', reviewed_by: reviewer }]);
    await becomes(jobId, 'completed');
    const { data } = await read<{ data: object[] }>(`/jobs/${jobId}/audit?action=job.review.approve`);
    expect(data).toMatchObject([
      {
        ...{ actor: { type: 'token', id: reviewer }, reviewed_by: reviewer, job_id: jobId },
        ...{ detail: 'Recommendation of run 1 approved: yes', outcome: 'success' },
        fields: { decision: 'approve', run: 1, comment: 'yes' },
      },
    ]);
  });

  test('its audit entry holds the digests of what the reviewer has read', async () => {
    const { job_id: jobId } = await createWaiting();
    await review(jobId, { decision: 'reject' });
    const { data } = await read<{ data: { fields: { artifacts: object[] } }[] }>(
      `/jobs/${jobId}/audit?action=job.review.reject`,
    );
    const artifacts = (await read<{ data: Artifact[] }>(`/jobs/${jobId}/artifacts`)).data.reverse();
    expect(data[0]?.fields.artifacts).toEqual(
      artifacts.map(({ artifact_id, kind, sha256 }) => ({ artifact_id, kind, sha256 })),
    );
    expect(artifacts).toHaveLength(2);
  });

  test('amend runs the workflow again with a new trace, and {} changes nothing else', async () => {
    const first = await createWaiting();
    const answer = await review(first.job_id, { decision: 'amend', amendment: {} });
    const job = answer.body as Job;
    expect(job).toMatchObject({ run_count: 2, max_runs: 3, input_refs: [incidentId] });
    expect(job.trace_id).not.toBe(first.trace_id);
    const second = await becomes(job.job_id, 'waiting_review');
    expect(second.artifact_refs).toHaveLength(4);
    expect(second.artifact_refs.slice(0, 2)).toEqual(first.artifact_refs);
    expect((await read<Trace>(`/traces/${first.trace_id}`)).final_status).toBeNull();
    await review(job.job_id, { decision: 'reject' });
    expect((await read<Trace>(`/traces/${first.trace_id}`)).final_status).toBe('amended');
    expect((await read<Trace>(`/traces/${second.trace_id}`)).final_status).toBe('rejected');
    const steps = (await read<{ data: TraceStep[] }>(`/jobs/${job.job_id}/steps?limit=100`)).data;
    expect(steps.map(({ run }) => run)).toEqual([...Array(10).fill(2), ...Array(10).fill(1)]);
    const decisions = steps.filter(({ step_type: type }) => type === 'review_decision');
    expect(decisions.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect(steps.filter(({ status }) => status === 'skipped').map(({ step_type: type }) => type)).toEqual([
      'apply_decision',
      'apply_decision',
    ]);
  });

  test('amend sets the inputs and the bound anew', async () => {
    const event = device.event();
    await device.post(event);
    const { job_id: jobId } = await createWaiting();
    const amendment = { input_refs: [incidentId, event.event_id], max_runs: 2 };
    expect((await review(jobId, { decision: 'amend', amendment })).body).toMatchObject(amendment);
    const job = await becomes(jobId, 'waiting_review');
    expect(await read<Trace>(`/traces/${job.trace_id}`)).toMatchObject({
      run: 2,
      input_refs: amendment.input_refs,
    });
  });

  test.each([
    [{ decision: 'amend' }, '400 missing_field', 'amendment'],
    [{ decision: 'approve', amendment: {} }, '400 amendment_not_allowed', 'amendment'],
    [{ decision: 'reject', amendment: { max_runs: 5 } }, '400 amendment_not_allowed', 'amendment'],
    [{ decision: 'amend', amendment: { colour: 1 } }, '400 amendment_not_allowed', 'colour'],
    [{ decision: 'amend', amendment: { max_runs: 11 } }, '400 invalid_field', 'amendment.max_runs'],
    [{ decision: 'amend', amendment: { input_refs: [] } }, '400 invalid_field', 'amendment.input_refs'],
    [{ decision: 'maybe' }, '400 invalid_field', 'decision'],
    [{}, '400 missing_field', 'decision'],
    [{ decision: 'approve', comment: '' }, '400 invalid_field', 'comment'],
    [{ decision: 'amend', amendment: { max_runs: 1 } }, '422 max_runs_exceeded', 'max_runs'],
    [{ decision: 'amend', amendment: { input_refs: ['inc_none'] } }, '404 not_found', 'input_refs[0]'],
  ])('refuses %j as %s, and nothing changes', async (body, is, named) => {
    const job = await createWaiting();
    const steps = await read(`/jobs/${job.job_id}/steps`);
    const refusal = await refusalOf(review(job.job_id, body));
    expect(refusal.is).toBe(is);
    expect(refusal.message).toContain(named);
    expect(await read(`/jobs/${job.job_id}`)).toEqual(job);
    expect(await read(`/jobs/${job.job_id}/steps`)).toEqual(steps);
    expect((await read<{ data: object[] }>(`/jobs/${job.job_id}/audit`)).data).toHaveLength(1);
  });

  test('amend is refused after the last run', async () => {
    const job = await createWaiting({ max_runs: 1 });
    const refusal = await refusalOf(review(job.job_id, { decision: 'amend', amendment: {} }));
    expect(refusal.is).toBe('422 max_runs_exceeded');
    expect(await read(`/jobs/${job.job_id}`)).toEqual(job);
  });

  test('an approval that comes too late is refused with the reason, and the job still waits', async () => {
    const job = await createWaiting();
    recording.obstacle = 'The incident was closed by tok_1 meanwhile.';
    const refusal = await refusalOf(review(job.job_id, { decision: 'approve' }));
    expect(refusal).toEqual({ is: '422 invalid_review_state', message: recording.obstacle });
    expect(await read(`/jobs/${job.job_id}`)).toEqual(job);
    expect((await review(job.job_id, { decision: 'reject' })).status).toBe(200);
  });

  test.each(['reject', 'cancel'] as const)(
    '%s ends the job, and no other review follows',
    async (decision) => {
      const { job_id: jobId } = await createWaiting();
      const ended = decision === 'reject' ? 'rejected' : 'cancelled';
      expect((await review(jobId, { decision })).body).toMatchObject({ status: ended });
      const refusal = await refusalOf(review(jobId, { decision: 'approve' }));
      expect(refusal.is).toBe('422 invalid_review_state');
      expect(refusal.message).toContain(ended);
    },
  );

  test('of twenty at once one wins, with one audit entry and one decision', async () => {
    const { job_id: jobId } = await createWaiting();
    const bodies = Array.from({ length: 20 }, (_, n) =>
      [
        { decision: 'approve' },
        { decision: 'reject' },
        { decision: 'cancel' },
        { decision: 'amend', amendment: {} },
      ].at(n % 4),
    );
    // The second run must not come to a gate of its own while the others are on their way.
    const held = gate();
    recording.scripts.load_inputs = { gather: held.pass };
    const answers = await Promise.all(bodies.map((body) => review(jobId, body ?? {})));
    const outcomes = answers.map((answer) =>
      answer.status === 200 ? '200' : `${answer.status} ${codeOf(answer)}`,
    );
    expect(outcomes.sort()).toEqual(['200', ...Array(19).fill('422 invalid_review_state')]);
    const { data } = await read<{ data: { action: string }[] }>(`/jobs/${jobId}/audit`);
    expect(data.filter(({ action }) => action.startsWith('job.review.'))).toHaveLength(1);
    const steps = (await read<{ data: TraceStep[] }>(`/jobs/${jobId}/steps?limit=100`)).data;
    const decided = steps.filter(
      ({ step_type: type, status }) => type === 'review_decision' && status === 'succeeded',
    );
    expect(decided).toHaveLength(1);
    held.open();
  });
});

describe('lists', () => {
  test('of jobs run newest first through pages, and are filtered by status', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await createWaiting()).job_id);
    await review(ids[1] ?? '', { decision: 'reject' });
    expect((await walk<Job>('/jobs', 2)).map(({ job_id: id }) => id)).toEqual([...ids].sort().reverse());
    expect((await walk<Job>('/jobs?status=rejected', 2)).map(({ job_id: id }) => id)).toEqual([ids[1]]);
    const cursor = (await read<{ next_cursor: string }>('/jobs?limit=2')).next_cursor;
    expect((await refusalOf(send('GET', `/jobs?status=failed&cursor=${cursor}`))).is).toBe(
      '400 cursor_filter_mismatch',
    );
    expect((await refusalOf(send('GET', '/jobs?status=lost'))).is).toBe('400 invalid_parameter');
  });

  test('of steps run from the last to the first through pages, of a job and of a trace alike', async () => {
    const { job_id: jobId, trace_id: traceId } = await createWaiting();
    const steps = await walk<TraceStep>(`/jobs/${jobId}/steps`, 3);
    expect(steps.map(({ step_type: type }) => type)).toEqual(
      [
        ...['load_inputs', 'collect_evidence', 'correlate', 'classify', 'guardrail_check'],
        ...['draft_recommendation', 'publish_artifacts', 'review_gate', 'review_decision', 'apply_decision'],
      ].reverse(),
    );
    expect(await walk(`/traces/${traceId}/steps`, 4)).toEqual(steps);
    expect(steps.find(({ step_type: type }) => type === 'guardrail_check')?.guardrail_result).toBe('passed');
    for (const step of steps) expect(step).toMatchObject({ job_id: jobId, trace_id: traceId, run: 1 });
  });

  test('of artifacts hold the texts, each of which can also be read alone', async () => {
    const { job_id: jobId, artifact_refs: refs } = await createWaiting();
    const listed = await walk<Artifact>(`/jobs/${jobId}/artifacts`, 1);
    expect(listed.map(({ artifact_id: id }) => id).reverse()).toEqual(refs);
    for (const artifact of listed) {
      expect(await read(`/artifacts/${artifact.artifact_id}`)).toEqual(artifact);
      expect(artifact.size_bytes).toBe(Buffer.byteLength(artifact.content));
    }
  });

  test('of audit entries are filtered by action and by reviewer, who has reviewed and not merely created', async () => {
    const { job_id: jobId, created_by: reviewer } = await createWaiting();
    const second = await createWaiting();
    await review(jobId, { decision: 'reject' });
    await send('POST', `/jobs/${second.job_id}/cancel`);
    const actions = async (path: string) =>
      (await walk<{ action: string }>(path, 2)).map(({ action }) => action).sort();
    const all = ['job.cancel', 'job.create', 'job.create', 'job.review.reject'];
    expect(await actions('/jobs/audit')).toEqual(all);
    expect(await actions('/jobs/audit?action=job.create')).toEqual(['job.create', 'job.create']);
    expect(await actions(`/jobs/audit?reviewed_by=${reviewer}`)).toEqual(['job.review.reject']);
    expect(await actions(`/jobs/audit?reviewed_by=${reviewer}&action=job.create`)).toEqual([]);
    expect(await actions('/jobs/audit?reviewed_by=tok_nobody')).toEqual([]);
    expect(await actions(`/jobs/${jobId}/audit`)).toEqual(['job.create', 'job.review.reject']);
    expect(await actions(`/jobs/${second.job_id}/audit?action=job.cancel`)).toEqual(['job.cancel']);
    expect((await refusalOf(send('GET', '/jobs/audit?action=token.create'))).is).toBe(
      '400 invalid_parameter',
    );
  });
});

test("another tenant's job, trace and artifact look as if they did not exist", async () => {
  const job = await createWaiting();
  const paths = (id: { job: string; trace: string; artifact: string }): [string, string, object?][] => [
    ...['', '/steps', '/artifacts', '/audit'].map((tail): [string, string] => [
      'GET',
      `/jobs/${id.job}${tail}`,
    ]),
    ['POST', `/jobs/${id.job}/cancel`, {}],
    ['POST', `/jobs/${id.job}/review`, { decision: 'approve' }],
    ['GET', `/traces/${id.trace}`],
    ['GET', `/traces/${id.trace}/steps`],
    ['GET', `/artifacts/${id.artifact}`],
  ];
  const theirs = paths({ job: job.job_id, trace: job.trace_id, artifact: job.artifact_refs[0] ?? '' });
  const absent = paths({ job: 'job_none', trace: 'trc_none', artifact: 'art_none' });
  for (const [index, [method, path, body]] of theirs.entries()) {
    const refusal = await refusalOf(send(method, path, body, { as: other }));
    expect(refusal.is).toBe('404 not_found');
    const [, absentPath = ''] = absent[index] ?? [];
    expect(await refusalOf(send(method, absentPath, body, { as: other }))).toEqual(refusal);
  }
  expect(await read(`/jobs/${job.job_id}`)).toEqual(job);
  expect(((await send('GET', '/jobs', undefined, { as: other })).body as { data: Job[] }).data).toEqual([]);
});

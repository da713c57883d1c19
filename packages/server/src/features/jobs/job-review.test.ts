import type { Artifact, Job, Trace, TraceStep } from '@tps/contract';
import { codeOf } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { describe, expect, test } from 'vitest';
import { gate } from './engine/testing/job-scene.ts';
import { refusalOf, useJobService } from './testing/job-api.ts';

const jobs = useJobService();

const api = useFixture(() => jobs.newApi(), { scope: 'test' });

describe('POST /jobs/{id}/review', () => {
  test('approve applies the recommendation in the name of the reviewer', async () => {
    const { job_id: jobId, created_by: reviewer } = await api.createWaiting();
    const answer = await api.review(jobId, { decision: 'approve', comment: 'yes' });
    expect([answer.status, answer.body]).toMatchObject([200, { status: 'running', reviewed_by: reviewer }]);
    await api.becomes(jobId, 'completed');
    const { data } = await api.read<{ data: object[] }>(`/jobs/${jobId}/audit?action=job.review.approve`);
    expect(data).toMatchObject([
      {
        actor: { type: 'token', id: reviewer },
        reviewed_by: reviewer,
        job_id: jobId,
        detail: 'Recommendation of run 1 approved: yes',
        outcome: 'success',
        fields: { decision: 'approve', run: 1, comment: 'yes' },
      },
    ]);
  });

  test('the audit entry contains the digests of the reviewed artifacts', async () => {
    const { job_id: jobId } = await api.createWaiting();
    await api.review(jobId, { decision: 'reject' });
    const { data } = await api.read<{ data: { fields: { artifacts: object[] } }[] }>(
      `/jobs/${jobId}/audit?action=job.review.reject`,
    );
    const artifacts = (await api.read<{ data: Artifact[] }>(`/jobs/${jobId}/artifacts`)).data.reverse();
    expect(data[0]?.fields.artifacts).toEqual(
      artifacts.map(({ artifact_id, kind, sha256 }) => ({ artifact_id, kind, sha256 })),
    );
    expect(artifacts).toHaveLength(2);
  });

  test('amend with {} runs the workflow again with a new trace and changes nothing else', async () => {
    const first = await api.createWaiting();
    const answer = await api.review(first.job_id, { decision: 'amend', amendment: {} });
    const job = answer.body as Job;
    expect(job).toMatchObject({ run_count: 2, max_runs: 3, input_refs: [api.incidentId] });
    expect(job.trace_id).not.toBe(first.trace_id);
    const second = await api.becomes(job.job_id, 'waiting_review');
    expect(second.artifact_refs).toHaveLength(4);
    expect(second.artifact_refs.slice(0, 2)).toEqual(first.artifact_refs);
    expect((await api.read<Trace>(`/traces/${first.trace_id}`)).final_status).toBeNull();
    await api.review(job.job_id, { decision: 'reject' });
    expect((await api.read<Trace>(`/traces/${first.trace_id}`)).final_status).toBe('amended');
    expect((await api.read<Trace>(`/traces/${second.trace_id}`)).final_status).toBe('rejected');
    const steps = (await api.read<{ data: TraceStep[] }>(`/jobs/${job.job_id}/steps?limit=100`)).data;
    expect(steps.map(({ run }) => run)).toEqual([...Array(10).fill(2), ...Array(10).fill(1)]);
    const decisions = steps.filter(({ step_type: type }) => type === 'review_decision');
    expect(decisions.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect(steps.filter(({ status }) => status === 'skipped').map(({ step_type: type }) => type)).toEqual([
      'apply_decision',
      'apply_decision',
    ]);
  });

  test('amend replaces the inputs and max_runs', async () => {
    const event = api.device.event();
    await api.device.post(event);
    const { job_id: jobId } = await api.createWaiting();
    const amendment = { input_refs: [api.incidentId, event.event_id], max_runs: 2 };
    expect((await api.review(jobId, { decision: 'amend', amendment })).body).toMatchObject(amendment);
    const job = await api.becomes(jobId, 'waiting_review');
    expect(await api.read<Trace>(`/traces/${job.trace_id}`)).toMatchObject({
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
  ])('rejects %j with %s and changes nothing', async (body, is, named) => {
    const job = await api.createWaiting();
    const steps = await api.read(`/jobs/${job.job_id}/steps`);
    const refusal = await refusalOf(api.review(job.job_id, body));
    expect(refusal.is).toBe(is);
    expect(refusal.message).toContain(named);
    expect(await api.read(`/jobs/${job.job_id}`)).toEqual(job);
    expect(await api.read(`/jobs/${job.job_id}/steps`)).toEqual(steps);
    expect((await api.read<{ data: object[] }>(`/jobs/${job.job_id}/audit`)).data).toHaveLength(1);
  });

  test('amend is rejected after the last run', async () => {
    const job = await api.createWaiting({ max_runs: 1 });
    const refusal = await refusalOf(api.review(job.job_id, { decision: 'amend', amendment: {} }));
    expect(refusal.is).toBe('422 max_runs_exceeded');
    expect(await api.read(`/jobs/${job.job_id}`)).toEqual(job);
  });

  test('a late approval is rejected with the reason, and the job keeps waiting', async () => {
    const job = await api.createWaiting();
    api.recording.obstacle = 'The incident was closed by tok_1 meanwhile.';
    const refusal = await refusalOf(api.review(job.job_id, { decision: 'approve' }));
    expect(refusal).toEqual({ is: '422 invalid_review_state', message: api.recording.obstacle });
    expect(await api.read(`/jobs/${job.job_id}`)).toEqual(job);
    expect((await api.review(job.job_id, { decision: 'reject' })).status).toBe(200);
  });

  test.each(['reject', 'cancel'] as const)('%s ends the job and rejects later reviews', async (decision) => {
    const { job_id: jobId } = await api.createWaiting();
    const ended = decision === 'reject' ? 'rejected' : 'cancelled';
    expect((await api.review(jobId, { decision })).body).toMatchObject({ status: ended });
    const refusal = await refusalOf(api.review(jobId, { decision: 'approve' }));
    expect(refusal.is).toBe('422 invalid_review_state');
    expect(refusal.message).toContain(ended);
  });

  test('one of twenty concurrent reviews succeeds, with one audit entry and one decision', async () => {
    const { job_id: jobId } = await api.createWaiting();
    const bodies = Array.from({ length: 20 }, (_, n) =>
      [
        { decision: 'approve' },
        { decision: 'reject' },
        { decision: 'cancel' },
        { decision: 'amend', amendment: {} },
      ].at(n % 4),
    );
    // A second run must not reach its own review while the other requests are in flight.
    const held = gate();
    api.recording.scripts.load_inputs = { gather: held.pass };
    const answers = await Promise.all(bodies.map((body) => api.review(jobId, body ?? {})));
    const outcomes = answers.map((answer) =>
      answer.status === 200 ? '200' : `${answer.status} ${codeOf(answer)}`,
    );
    expect(outcomes.sort()).toEqual(['200', ...Array(19).fill('422 invalid_review_state')]);
    const { data } = await api.read<{ data: { action: string }[] }>(`/jobs/${jobId}/audit`);
    expect(data.filter(({ action }) => action.startsWith('job.review.'))).toHaveLength(1);
    const steps = (await api.read<{ data: TraceStep[] }>(`/jobs/${jobId}/steps?limit=100`)).data;
    const decided = steps.filter(
      ({ step_type: type, status }) => type === 'review_decision' && status === 'succeeded',
    );
    expect(decided).toHaveLength(1);
    held.open();
  });
});

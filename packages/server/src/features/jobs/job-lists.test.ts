import type { Artifact, Job, TraceStep } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { describe, expect, test } from 'vitest';
import { refusalOf, useJobService } from './testing/job-api.ts';

const jobs = useJobService();
const other = useFixture(() => jobs.service.createTenant());
const api = useFixture(() => jobs.newApi(), { scope: 'test' });

describe('lists', () => {
  test('of jobs are paged newest first and can be filtered by status', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await api.createWaiting()).job_id);
    await api.review(ids[1] ?? '', { decision: 'reject' });
    expect((await api.walk<Job>('/jobs', 2)).map(({ job_id: id }) => id)).toEqual([...ids].sort().reverse());
    expect((await api.walk<Job>('/jobs?status=rejected', 2)).map(({ job_id: id }) => id)).toEqual([ids[1]]);
    const cursor = (await api.read<{ next_cursor: string }>('/jobs?limit=2')).next_cursor;
    expect((await refusalOf(api.send('GET', `/jobs?status=failed&cursor=${cursor}`))).is).toBe(
      '400 cursor_filter_mismatch',
    );
    expect((await refusalOf(api.send('GET', '/jobs?status=lost'))).is).toBe('400 invalid_parameter');
  });

  test('of steps are paged last first, for a job and for a trace', async () => {
    const { job_id: jobId, trace_id: traceId } = await api.createWaiting();
    const steps = await api.walk<TraceStep>(`/jobs/${jobId}/steps`, 3);
    expect(steps.map(({ step_type: type }) => type)).toEqual(
      [
        ...['load_inputs', 'collect_evidence', 'correlate', 'classify', 'guardrail_check'],
        ...['draft_recommendation', 'publish_artifacts', 'review_gate', 'review_decision', 'apply_decision'],
      ].reverse(),
    );
    expect(await api.walk(`/traces/${traceId}/steps`, 4)).toEqual(steps);
    expect(steps.find(({ step_type: type }) => type === 'guardrail_check')?.guardrail_result).toBe('passed');
    for (const step of steps) expect(step).toMatchObject({ job_id: jobId, trace_id: traceId, run: 1 });
  });

  test('of artifacts include the content, and each artifact can be read by id', async () => {
    const { job_id: jobId, artifact_refs: refs } = await api.createWaiting();
    const listed = await api.walk<Artifact>(`/jobs/${jobId}/artifacts`, 1);
    expect(listed.map(({ artifact_id: id }) => id).reverse()).toEqual(refs);
    for (const artifact of listed) {
      expect(await api.read(`/artifacts/${artifact.artifact_id}`)).toEqual(artifact);
      expect(artifact.size_bytes).toBe(Buffer.byteLength(artifact.content));
    }
  });

  test('of audit entries can be filtered by action and by reviewer; creating is not reviewing', async () => {
    const { job_id: jobId, created_by: reviewer } = await api.createWaiting();
    const second = await api.createWaiting();
    await api.review(jobId, { decision: 'reject' });
    await api.send('POST', `/jobs/${second.job_id}/cancel`);
    const actions = async (path: string) =>
      (await api.walk<{ action: string }>(path, 2)).map(({ action }) => action).sort();
    const all = ['job.cancel', 'job.create', 'job.create', 'job.review.reject'];
    expect(await actions('/jobs/audit')).toEqual(all);
    expect(await actions('/jobs/audit?action=job.create')).toEqual(['job.create', 'job.create']);
    expect(await actions(`/jobs/audit?reviewed_by=${reviewer}`)).toEqual(['job.review.reject']);
    expect(await actions(`/jobs/audit?reviewed_by=${reviewer}&action=job.create`)).toEqual([]);
    expect(await actions('/jobs/audit?reviewed_by=tok_unknown')).toEqual([]);
    expect(await actions(`/jobs/${jobId}/audit`)).toEqual(['job.create', 'job.review.reject']);
    expect(await actions(`/jobs/${second.job_id}/audit?action=job.cancel`)).toEqual(['job.cancel']);
    expect((await refusalOf(api.send('GET', '/jobs/audit?action=token.create'))).is).toBe(
      '400 invalid_parameter',
    );
  });
});

test("another tenant's jobs, traces and artifacts are not found", async () => {
  const job = await api.createWaiting();
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
    const refusal = await refusalOf(api.send(method, path, body, { as: other }));
    expect(refusal.is).toBe('404 not_found');
    const [, absentPath = ''] = absent[index] ?? [];
    expect(await refusalOf(api.send(method, absentPath, body, { as: other }))).toEqual(refusal);
  }
  expect(await api.read(`/jobs/${job.job_id}`)).toEqual(job);
  expect(((await api.send('GET', '/jobs', undefined, { as: other })).body as { data: Job[] }).data).toEqual(
    [],
  );
});

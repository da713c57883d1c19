import type { Job, Trace, TraceStep } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { describe, expect, test } from 'vitest';
import { refusalOf, TRIAGE, useJobService } from './testing/job-api.ts';

const jobs = useJobService();
const other = useFixture(() => jobs.service.createTenant());
const api = useFixture(() => jobs.newApi(), { scope: 'test' });

describe('POST /jobs', () => {
  test('queues a job that can be read at its Location', async () => {
    const answer = await api.send('POST', '/jobs', { workflow_id: TRIAGE, input_refs: [api.incidentId] });
    const job = answer.body as Job;
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/jobs/${job.job_id}`);
    expect(job).toMatchObject({
      status: 'queued',
      workflow_id: TRIAGE,
      input_refs: [api.incidentId],
      max_runs: 3,
      run_count: 1,
      artifact_refs: [],
      reviewed_by: null,
      error_code: null,
      version: 1,
    });
    expect(job.created_by).toMatch(/^tok_/);
    const read = (await api.becomes(job.job_id, 'waiting_review')) as Job;
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
  ])('rejects %j with %s', async (members, is, named) => {
    const body = { workflow_id: TRIAGE, input_refs: [api.incidentId], ...members };
    const refusal = await refusalOf(api.send('POST', '/jobs', body));
    expect(refusal.is).toBe(is);
    expect(refusal.message).toContain(named);
    expect((await api.read<{ data: Job[] }>('/jobs')).data).toEqual([]);
  });

  test('accepts fifty references of all kinds', async () => {
    const noun = async (path: string, id: string) =>
      (await api.read<{ data: Record<string, string>[] }>(path)).data[0]?.[id] ?? '';
    await api.service.service.database.transaction((tx) =>
      tx.insertMany('scans', [
        { tenant_id: api.tenant.tenantId, scan_id: 'scn_1', result: '{}', created_at: 1 },
      ]),
    );
    const events = Array.from({ length: 46 }, () => api.device.event());
    for (const event of events) await api.device.post(event);
    const refs = [
      api.incidentId,
      await noun('/alerts', 'alert_id'),
      await noun('/threats', 'threat_id'),
      'scn_1',
      ...events.map(({ event_id: id }) => id),
    ];
    expect((await api.create({ input_refs: refs })).input_refs).toEqual(refs);
    for (const [index, ref] of [...refs.slice(0, 5).entries()]) {
      const body = { workflow_id: TRIAGE, input_refs: [...refs.slice(0, index), `${ref}x`] };
      const refusal = await refusalOf(api.send('POST', '/jobs', body));
      expect(refusal.is).toBe('404 not_found');
      expect(refusal.message).toContain(`input_refs[${index}]`);
    }
  });

  test("another tenant's reference is not found", async () => {
    const body = { workflow_id: TRIAGE, input_refs: [api.incidentId] };
    const absent = await refusalOf(
      api.send('POST', '/jobs', { ...body, input_refs: ['inc_nothing'] }, { as: other }),
    );
    expect(await refusalOf(api.send('POST', '/jobs', body, { as: other }))).toEqual(absent);
    expect(absent.is).toBe('404 not_found');
  });

  test('repeats its response for the same Idempotency-Key and rejects a different body', async () => {
    const body = { workflow_id: TRIAGE, input_refs: [api.incidentId] };
    const first = await api.send('POST', '/jobs', body, { key: 'once' });
    const again = await api.send('POST', '/jobs', body, { key: 'once' });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect((await api.read<{ data: Job[] }>('/jobs')).data).toHaveLength(1);
    const conflict = api.send('POST', '/jobs', { ...body, max_runs: 2 }, { key: 'once' });
    expect((await refusalOf(conflict)).is).toBe('409 idempotency_conflict');
  });
});

describe('POST /jobs/{id}/cancel', () => {
  test('ends a job and sets the status of its steps and its trace', async () => {
    const { job_id: jobId, trace_id: traceId } = await api.createWaiting();
    const answer = await api.send('POST', `/jobs/${jobId}/cancel`, { comment: 'opened\ntwice' });
    expect([answer.status, (answer.body as Job).status]).toEqual([200, 'cancelled']);
    expect(await api.read<Trace>(`/traces/${traceId}`)).toMatchObject({ final_status: 'cancelled', run: 1 });
    const steps = (await api.read<{ data: TraceStep[] }>(`/jobs/${jobId}/steps`)).data;
    expect(steps.slice(0, 4).map(({ step_type: type, status }) => `${type} ${status}`)).toEqual([
      'apply_decision cancelled',
      'review_decision cancelled',
      'review_gate cancelled',
      'publish_artifacts succeeded',
    ]);
    const { data } = await api.read<{ data: object[] }>(`/jobs/${jobId}/audit?action=job.cancel`);
    expect(data).toMatchObject([
      { detail: 'Job cancelled: opened twice', fields: { from: 'waiting_review' } },
    ]);
  });

  test('is rejected after the job has ended, and needs no body', async () => {
    const { job_id: jobId } = await api.create();
    expect((await api.send('POST', `/jobs/${jobId}/cancel`)).status).toBe(200);
    const refusal = await refusalOf(api.send('POST', `/jobs/${jobId}/cancel`));
    expect(refusal.is).toBe('422 invalid_job_state');
    expect(refusal.message).toContain('cancelled');
    expect((await api.read<{ data: object[] }>(`/jobs/${jobId}/audit?action=job.cancel`)).data).toHaveLength(
      1,
    );
  });
});

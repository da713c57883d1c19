import type { Incident, Job } from '@tps/contract';
import { codeOf } from '@tps/testing/device';
import { listAudit } from '@tps/testing/service';
import { beforeEach, expect, test } from 'vitest';
import { type JobApi, useJobService } from './testing/job-api.ts';

type Results = { results: { id: string; status: number; error?: { code: string } }[] };

let api: JobApi;

const jobs = useJobService();

beforeEach(async () => {
  api = await jobs.newApi();
});

async function change(body: object): Promise<[string, string][]> {
  const answer = await api.send('POST', '/jobs/bulk', body);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as Results).results.map(({ id, error }) => [id, error?.code ?? 'done']);
}

const as = async (...scopes: ('jobs:review' | 'jobs:write')[]) => ({
  ...api.tenant,
  credential: await api.service.createCredential(api.tenant.tenantId, scopes),
});

test('reviews each waiting job like a single review, and refuses the others', async () => {
  const [waiting, other] = [await api.createWaiting(), await api.createWaiting()];
  const ended = await api.createWaiting();
  await api.review(ended.job_id, { decision: 'reject' });
  const ids = [waiting.job_id, ended.job_id, 'job_none', other.job_id];
  expect(await change({ ids, change: { action: 'approve', comment: 'all of them' } })).toEqual([
    [waiting.job_id, 'done'],
    [ended.job_id, 'invalid_review_state'],
    ['job_none', 'not_found'],
    [other.job_id, 'done'],
  ]);
  for (const { job_id: id } of [waiting, other]) {
    await api.becomes(id, 'completed');
    expect(await listAudit(api.service, id)).toContain('job.review.approve success');
  }
});

test('cancels the jobs that a filter finds', async () => {
  const [first, second] = [await api.createWaiting(), await api.createWaiting()];
  await api.review(first.job_id, { decision: 'reject' });
  const body = { filter: { status: 'waiting_review' }, change: { action: 'cancel' } };
  expect(await change(body)).toEqual([[second.job_id, 'done']]);
  expect(await api.read<Job>(`/jobs/${second.job_id}`)).toMatchObject({ status: 'cancelled' });
  expect(await change(body)).toEqual([]);
});

test('a reviewer cannot cancel, and reviews without the scope to write', async () => {
  const { job_id: id } = await api.createWaiting();
  const reviewer = await as('jobs:review');
  const send = (action: string) =>
    api.send('POST', '/jobs/bulk', { ids: [id], change: { action } }, { as: reviewer });
  expect(codeOf(await send('cancel'))).toBe('insufficient_scope');
  expect((await send('reject')).body).toMatchObject({ results: [{ id, status: 200 }] });
});

test('finds the jobs of an incident by its inputs', async () => {
  const [incident] = (await api.read<{ data: [Incident] }>('/incidents')).data;
  const alertId = incident.alert_ids[0] ?? '';
  const { job_id: id } = await api.createWaiting();
  await api.createWaiting({ input_refs: [alertId] });
  const of = async (ref: string) =>
    (await api.read<{ data: Job[] }>(`/jobs?input_ref=${ref}`)).data.map(({ job_id }) => job_id);
  expect(await of(incident.id)).toEqual([id]);
  await api.review(id, { decision: 'amend', amendment: { input_refs: [alertId] } });
  await api.becomes(id, 'waiting_review');
  expect(await of(alertId)).toContain(id);
});

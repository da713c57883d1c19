import type { Job } from '@tps/contract';
import { codeOf, registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { startTestService, type TestAnswer, type TestService, type TestTenant } from '@tps/testing/service';
import { expect, vi } from 'vitest';
import { type RecordingWorkflow, recordingWorkflow } from '../engine/testing/recording-workflow.ts';

export const TRIAGE = 'incident_triage_v1';
const WITHIN = { timeout: 60_000, interval: 10 };

/** The job routes, called by a tenant with one incident. */
export interface JobApi {
  readonly service: TestService;
  readonly recording: RecordingWorkflow;
  readonly tenant: TestTenant;
  readonly device: TestDevice;
  readonly incidentId: string;
  send(
    method: string,
    path: string,
    body?: object,
    options?: { as?: TestTenant; key?: string },
  ): Promise<TestAnswer>;
  read<Body>(path: string): Promise<Body>;
  /** Reads all pages of a list. */
  walk<Item>(path: string, limit: number): Promise<Item[]>;
  create(members?: object): Promise<Job>;
  createWaiting(members?: object): Promise<Job>;
  becomes(jobId: string, status: Job['status']): Promise<Job>;
  review(jobId: string, body: object): Promise<TestAnswer>;
}

/** Starts the service with a recording workflow. `newApi` creates a new tenant for each test. */
export async function startJobService(): Promise<{ newApi(): Promise<JobApi>; service: TestService }> {
  const recording = recordingWorkflow();
  const service = await startTestService({ workflows: [recording.workflow] });
  return { service, newApi: () => openApi(service, recording) };
}

/** Runs that service for the tests of a file. */
export function useJobService(): Awaited<ReturnType<typeof startJobService>> {
  return useFixture(startJobService, { close: ({ service }) => service.stop() });
}

async function openApi(service: TestService, recording: RecordingWorkflow): Promise<JobApi> {
  for (const type of Object.keys(recording.scripts)) delete recording.scripts[type as 'classify'];
  recording.obstacle = undefined;
  const tenant = await service.createTenant();
  const device = await registerTestDevice(service, { tenant });
  await device.post(device.event({ indicators: ['sig:1'] }));

  const send: JobApi['send'] = (method, path, body, { as = tenant, key } = {}) =>
    service.client.send(method, path, {
      credential: as.credential,
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    });
  const read = async <Body>(path: string) => (await send('GET', path)).body as Body;
  const { data } = await read<{ data: { id: string }[] }>('/incidents');
  const incidentId = data[0]?.id ?? '';

  const becomes: JobApi['becomes'] = (jobId, status) =>
    vi.waitFor(async () => {
      const job = await read<Job>(`/jobs/${jobId}`);
      expect(job.status).toBe(status);
      return job;
    }, WITHIN);
  const create: JobApi['create'] = async (members = {}) => {
    const answer = await send('POST', '/jobs', {
      workflow_id: TRIAGE,
      input_refs: [incidentId],
      ...members,
    });
    expect(answer.status).toBe(201);
    return answer.body as Job;
  };
  return {
    service,
    recording,
    tenant,
    device,
    incidentId,
    send,
    read,
    create,
    becomes,
    walk: (path, limit) => walk(read, path, limit),
    createWaiting: async (members) => becomes((await create(members)).job_id, 'waiting_review'),
    review: (jobId, body) => send('POST', `/jobs/${jobId}/review`, body),
  };
}

async function walk<Item>(read: JobApi['read'], path: string, limit: number): Promise<Item[]> {
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

/** Returns the status, code and message of an error response. */
export async function refusalOf(sent: Promise<TestAnswer>): Promise<{ is: string; message: string }> {
  const answer = await sent;
  const { message } = (answer.body as { error: { message: string } }).error;
  return { is: `${answer.status} ${codeOf(answer)}`, message };
}

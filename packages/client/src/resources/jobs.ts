import {
  type CallOptions,
  type Connection,
  definedSignals,
  type KeyedOptions,
  readData,
  toIdempotencyKey,
} from '../http/connection.ts';
import { wait } from '../http/wait.ts';
import type { List } from '../paging/list.ts';
import type {
  ArtifactPage,
  Job,
  JobAuditPage,
  JobCancellation,
  JobPage,
  NewJob,
  Review,
  TraceStepPage,
} from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, type ReadOptions } from './read-options.ts';

/** How a job is waited for. */
export type WaitForJobOptions = ReadOptions<'getJob'> & {
  /** What to wait for. `waiting_review` unless given: the next step is somebody's decision then. */
  readonly until?: readonly Job['status'][] | undefined;
  /** 2,000 unless given. */
  readonly pollMs?: number | undefined;
};

const DEFAULT_POLL_MS = 2_000;
const OVER: readonly Job['status'][] = ['completed', 'rejected', 'cancelled', 'failed'];

/** Makes the calls about jobs and what they leave. */
export function jobsResource(connection: Connection) {
  const { api, call } = connection;
  const get = (id: string, options: ReadOptions<'getJob'> = {}): Promise<Job> =>
    readData(api.GET('/jobs/{id}', itemRequest(connection, id, options)));
  return {
    get,

    /** Lists jobs, newest first. */
    list: (options: ListOptions<'listJobs'> = {}): List<JobPage> =>
      createListOf(connection, options, (init) => api.GET('/jobs', init)),

    /** Has something triaged. */
    create: (job: NewJob, options: KeyedOptions = {}): Promise<Job> => {
      const params = { header: { 'Idempotency-Key': toIdempotencyKey(options) } };
      return readData(api.POST('/jobs', { params, body: job, ...call(options, 'any-failure') }));
    },

    cancel: (id: string, cancellation: JobCancellation = {}, options: CallOptions = {}): Promise<Job> => {
      const init = { params: { path: { id } }, body: cancellation };
      return readData(api.POST('/jobs/{id}/cancel', { ...init, ...call(options, 'rate-limit') }));
    },

    /** Decides about the recommendation of a job that waits for it. */
    review: (id: string, review: Review, options: CallOptions = {}): Promise<Job> => {
      const init = { params: { path: { id } }, body: review };
      return readData(api.POST('/jobs/{id}/review', { ...init, ...call(options, 'rate-limit') }));
    },

    /** Looks until the job is where it is waited for, or over. Rejects when `signal` is aborted. */
    waitFor: async (
      id: string,
      { until = ['waiting_review'], pollMs = DEFAULT_POLL_MS, ...options }: WaitForJobOptions = {},
    ): Promise<Job> => {
      const signals = definedSignals([options.signal, connection.signal]);
      const ends = [...until, ...OVER];
      let job = await get(id, options);
      while (!ends.includes(job.status)) {
        await wait(pollMs, signals);
        job = await get(id, options);
      }
      return job;
    },

    /** Lists what was done to all jobs. */
    audit: (options: ListOptions<'listJobAudit'> = {}): List<JobAuditPage> =>
      createListOf(connection, options, (init) => api.GET('/jobs/audit', init)),

    /** Lists what was done to one job. */
    auditOf: (id: string, options: ListOptions<'listAuditOfJob'> = {}): List<JobAuditPage> =>
      createListOf(connection, options, ({ params: { query }, fetch }) =>
        api.GET('/jobs/{id}/audit', { params: { path: { id }, query }, fetch }),
      ),

    /** Lists the steps of all runs of a job. */
    steps: (id: string, options: ListOptions<'listJobSteps'> = {}): List<TraceStepPage> =>
      createListOf(connection, options, ({ params: { query }, fetch }) =>
        api.GET('/jobs/{id}/steps', { params: { path: { id }, query }, fetch }),
      ),

    /** Lists what the runs of a job have published. */
    artifacts: (id: string, options: ListOptions<'listJobArtifacts'> = {}): List<ArtifactPage> =>
      createListOf(connection, options, ({ params: { query }, fetch }) =>
        api.GET('/jobs/{id}/artifacts', { params: { path: { id }, query }, fetch }),
      ),
  };
}

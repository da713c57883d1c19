import {
  type CallOptions,
  type Connection,
  definedSignals,
  type KeyedOptions,
  readData,
} from '../http/connection.ts';
import { wait } from '../http/wait.ts';
import type { List } from '../paging/list.ts';
import { bulkCalls } from '../paging/repeat-bulk.ts';
import type {
  ArtifactPage,
  Counts,
  Job,
  JobAuditPage,
  JobBulk,
  JobBulkResults,
  JobCancellation,
  JobPage,
  NewJob,
  Review,
  TraceStepPage,
} from '../schemas.ts';
import {
  createListOf,
  itemRequest,
  type ListOptions,
  ofItem,
  queryRequest,
  type ReadOptions,
} from './read-options.ts';
import { changeRequest, createRequest } from './write-requests.ts';

/** Options for waiting for a job. */
export type WaitForJobOptions = ReadOptions<'getJob'> & {
  /** States to wait for (default `waiting_review`, in which a person has to decide). */
  readonly until?: readonly Job['status'][] | undefined;
  /** Time between polls (default 2,000). */
  readonly pollMs?: number | undefined;
};

const DEFAULT_POLL_MS = 2_000;
const FINAL_STATES: readonly Job['status'][] = ['completed', 'rejected', 'cancelled', 'failed'];

/** Calls on jobs and their results. */
export function jobsResource(connection: Connection) {
  const { api, call } = connection;
  const get = (id: string, options: ReadOptions<'getJob'> = {}): Promise<Job> =>
    readData(api.GET('/jobs/{id}', itemRequest(connection, id, options)));
  return {
    ...bulkCalls(
      (body: JobBulk, options): Promise<JobBulkResults> =>
        readData(api.POST('/jobs/bulk', { body, ...call(options, 'rate-limit') })),
    ),

    get,
    /** Lists jobs, newest first. */
    list: (options: ListOptions<'listJobs'> = {}): List<JobPage> =>
      createListOf(connection, options, (init) => api.GET('/jobs', init)),

    /** Counts what the list finds with the same filters, over time. */
    counts: (options: ReadOptions<'countJobs'> = {}): Promise<Counts> =>
      readData(api.GET('/jobs/counts', queryRequest(connection, options))),

    /** Starts a triage job. */
    create: (job: NewJob, options: KeyedOptions = {}): Promise<Job> =>
      readData(api.POST('/jobs', createRequest(connection, job, options))),

    cancel: (id: string, cancellation: JobCancellation = {}, options: CallOptions = {}): Promise<Job> =>
      readData(api.POST('/jobs/{id}/cancel', changeRequest(connection, { id, body: cancellation }, options))),

    /** Reviews the recommendation of a job that waits for a review. */
    review: (id: string, review: Review, options: CallOptions = {}): Promise<Job> =>
      readData(api.POST('/jobs/{id}/review', changeRequest(connection, { id, body: review }, options))),

    /** Polls until the job is in one of the states of `until`, or has ended. Rejects when `signal` is aborted. */
    waitFor: async (
      id: string,
      { until = ['waiting_review'], pollMs = DEFAULT_POLL_MS, ...options }: WaitForJobOptions = {},
    ): Promise<Job> => {
      const signals = definedSignals([options.signal, connection.signal]);
      const ends = [...until, ...FINAL_STATES];
      let job = await get(id, options);
      while (!ends.includes(job.status)) {
        await wait(pollMs, signals);
        job = await get(id, options);
      }
      return job;
    },

    ...recordsOf(connection),
  };
}

/** Calls on what jobs leave behind. */
function recordsOf(connection: Connection) {
  const { api } = connection;
  return {
    /** Lists the audit entries of all jobs. */
    audit: (options: ListOptions<'listJobAudit'> = {}): List<JobAuditPage> =>
      createListOf(connection, options, (init) => api.GET('/jobs/audit', init)),

    /** Lists the audit entries of one job. */
    auditOf: (id: string, options: ListOptions<'listAuditOfJob'> = {}): List<JobAuditPage> =>
      createListOf(connection, options, (init) => api.GET('/jobs/{id}/audit', ofItem(id, init))),

    /** Lists the steps of all runs of a job. */
    steps: (id: string, options: ListOptions<'listJobSteps'> = {}): List<TraceStepPage> =>
      createListOf(connection, options, (init) => api.GET('/jobs/{id}/steps', ofItem(id, init))),

    /** Lists the artifacts of all runs of a job. */
    artifacts: (id: string, options: ListOptions<'listJobArtifacts'> = {}): List<ArtifactPage> =>
      createListOf(connection, options, (init) => api.GET('/jobs/{id}/artifacts', ofItem(id, init))),
  };
}

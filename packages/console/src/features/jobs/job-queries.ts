import { queryOptions } from '@tanstack/react-query';
import type { Client, Job } from '@tps/client';
import { isRunning } from '../../kit/index.ts';

/** Begins the keys of everything about jobs. */
export const JOBS = 'jobs';

/** A job that runs is read again at this interval. */
const RUNNING_MS = 2_000;

export function isEnded({ status }: Pick<Job, 'status'>): boolean {
  return !isRunning({ status }) && status !== 'waiting_review';
}

export function jobQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: [JOBS, 'one', id],
    queryFn: ({ signal }) => client.jobs.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? RUNNING_MS : false),
  });
}

/** What a job has published, the newest run first. */
export function artifactsQuery(client: Client, { job_id: id, artifact_refs: refs }: Job) {
  return queryOptions({
    queryKey: [JOBS, 'artifacts', id, refs.length],
    queryFn: ({ signal }) => client.jobs.artifacts(id, { limit: 100, signal }).page(),
    placeholderData: (before) => before,
  });
}

/** The steps of all runs, the last run first and in the order in which they ran. */
export function stepsQuery(client: Client, { job_id: id, version }: Job) {
  return queryOptions({
    queryKey: [JOBS, 'steps', id, version],
    queryFn: ({ signal }) => client.jobs.steps(id, { limit: 100, signal }).page(),
    placeholderData: (before) => before,
  });
}

/** The incident that a job is about. */
export function subjectQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: ['incidents', 'one', id],
    queryFn: ({ signal }) => client.incidents.get(id, { signal }),
  });
}

import type { Job } from '@tps/client';

/** Whether a job works without a person, so that it is worth reading again. */
export function isRunning({ status }: Pick<Job, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

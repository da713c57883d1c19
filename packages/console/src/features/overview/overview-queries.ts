import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Client } from '@tps/client';
import { type OverviewRange, RANGES } from './overview-range.ts';

/** Someone may watch the page all night. */
const STATUS_EVERY_MS = 15_000;
const COUNTS_EVERY_MS = 60_000;
const MINUTE_MS = 60_000;

/** The state of protection: what the overview shows first. */
export function statusQuery(client: Client) {
  return queryOptions({
    queryKey: ['status'],
    queryFn: ({ signal }) => client.status.get({ signal }),
    refetchInterval: STATUS_EVERY_MS,
  });
}

/** Counts over time, for the charts. While another range loads, the one before stays, with its own name. */
export function countsQuery(client: Client, range: OverviewRange) {
  const { spanMs, interval } = RANGES[range];
  return queryOptions({
    queryKey: ['statistics', range],
    queryFn: async ({ signal }) => {
      const since = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - spanMs).toISOString();
      const breakdown = 'category,action,severity,platform,verdict';
      return { range, counts: await client.statistics.get({ since, interval, breakdown, signal }) };
    },
    refetchInterval: COUNTS_EVERY_MS,
    placeholderData: keepPreviousData,
  });
}

/** Number of incidents in the list of what needs a person. */
export const SHOWN_INCIDENTS = 6;

/** The unresolved incidents of the highest severity. */
export function urgentIncidentsQuery(client: Client) {
  return queryOptions({
    queryKey: ['incidents', 'urgent'],
    queryFn: ({ signal }) =>
      client.incidents.list({ status: UNRESOLVED, sort: 'severity', limit: SHOWN_INCIDENTS, signal }).page(),
    refetchInterval: STATUS_EVERY_MS,
  });
}
export const UNRESOLVED = 'open,in_progress,on_hold';

/** The people who can work on incidents, for their names. */
export function assigneesQuery(client: Client) {
  return queryOptions({
    queryKey: ['incidents', 'assignees'],
    queryFn: ({ signal }) => client.incidents.assignees({ limit: 100, signal }).page(),
    staleTime: 5 * MINUTE_MS,
  });
}

/** The settings of the tenant, of which the overview shows a requested deletion. */
export function settingsQuery(client: Client) {
  return queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => client.settings.get({ signal }),
    staleTime: MINUTE_MS,
  });
}

/** Jobs that wait for a review. More than ten are shown as "more than 10". */
export function waitingJobsQuery(client: Client) {
  return queryOptions({
    queryKey: ['jobs', 'waiting'],
    queryFn: ({ signal }) => client.jobs.list({ status: 'waiting_review', limit: SHOWN_JOBS, signal }).page(),
    refetchInterval: STATUS_EVERY_MS,
  });
}
export const SHOWN_JOBS = 10;

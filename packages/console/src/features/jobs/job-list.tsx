import { Text } from '@mantine/core';
import type { Job } from '@tps/client';
import { JOB_STATUSES } from '@tps/contract/vocabulary';
import { choicesOf, column, EmptyState, type ListDefinition, ListPage } from '../../kit/index.ts';
import { JOB_BULK_ACTIONS } from './bulk/job-bulk-actions.tsx';
import { JobDetail, titleOfJob } from './job-detail.tsx';
import { JOBS as QUERY_KEY } from './job-queries.ts';

const JOBS: ListDefinition<Job> = {
  noun: { one: 'job', many: 'jobs' },
  queryKey: QUERY_KEY,
  read: (client, query, page) => client.jobs.list({ ...query, ...page }).page(),
  count: (client, query, options) => client.jobs.counts({ ...query, ...options }),
  idOf: ({ job_id: id }) => id,
  titleOf: titleOfJob,
  columns: [
    column.status({ id: 'status', header: 'Status', filter: 'status', width: 150, onCard: 'mark' }),
    { id: 'inputs', header: 'About', value: titleOfJob, width: 280, grows: true, onCard: 'title' },
    column.id({
      id: 'input_ref',
      from: ({ input_refs: [first = ''] }) => first,
      header: 'First input',
      filter: 'input_ref',
      width: 250,
    }),
    {
      id: 'run',
      header: 'Run',
      value: ({ run_count: run, max_runs: max }) => `${run} of ${max}`,
      width: 76,
      align: 'end',
    },
    column.text({ id: 'error', from: 'error_code', header: 'Error', width: 140, hiddenByDefault: true }),
    column.time({ id: 'updated_at', header: 'Updated', width: 112, onCard: 'line' }),
    column.time({ id: 'created_at', header: 'Created', width: 112, onCard: 'line' }),
    column.id({ id: 'id', from: 'job_id', header: 'ID', width: 260, hiddenByDefault: true }),
  ],
  filters: [
    { name: 'status', label: 'Status', kind: 'any-of', choices: choicesOf(JOB_STATUSES) },
    { name: 'input_ref', label: 'Input', kind: 'id', placeholder: 'inc_…' },
    { name: 'since', label: 'Created', kind: 'time-range' },
  ],
  hiddenByDefault: { status: '!completed,rejected,cancelled' },
  views: [
    { id: 'review', name: 'Waiting for a review', query: { status: 'waiting_review' } },
    { id: 'failed', name: 'Failed, last 7 days', query: { status: 'failed', since: '-7d' } },
  ],
  bulk: JOB_BULK_ACTIONS,
  detail: (id) => <JobDetail id={id} />,
  empty: (
    <EmptyState title="No jobs yet">
      <Text size="sm">
        A job collects the evidence about an incident and recommends what to do. Start one with “Start triage”
        on the page of an incident.
      </Text>
    </EmptyState>
  ),
};

export function JobsPage() {
  return (
    <ListPage
      definition={JOBS}
      title="Jobs"
      description="Automatic triage: each job ends in a recommendation that a person reviews."
    />
  );
}

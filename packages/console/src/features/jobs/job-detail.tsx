import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Job } from '@tps/client';
import {
  DetailLayout,
  detailPage,
  Facts,
  History,
  IdLink,
  isRunning,
  QueryState,
  Section,
  StatusBadge,
  TimeValue,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import classes from './job-detail.module.css';
import { jobQuery, subjectQuery } from './job-queries.ts';
import { JobReport } from './report/job-report.tsx';
import { ReviewActions } from './review/review-actions.tsx';
import { JobTrace } from './trace/job-trace.tsx';

/** One job: as a page, and beside the list. */
export function JobDetail({ id }: { readonly id: string }) {
  const job = useQuery(jobQuery(useClient(), id));
  return <QueryState query={job}>{(value) => <Detail key={value.job_id} job={value} />}</QueryState>;
}

export const JobPage = detailPage(JobDetail);

function Detail({ job }: { readonly job: Job }) {
  return (
    <DetailLayout
      id={job.job_id}
      title={useSubject(job) ?? titleOfJob(job)}
      marks={
        <>
          <StatusBadge value={job.status} />
          {isRunning(job) && <Loader size="xs" aria-label="Running" />}
          <span>
            Run {job.run_count} of {job.max_runs}
          </span>
          {job.error_code !== null && <code>{job.error_code}</code>}
        </>
      }
      actions={<ReviewActions job={job} />}
    >
      <JobReport job={job} />
      <Section title="Inputs">
        <ul className={classes.inputs}>
          {job.input_refs.map((ref) => (
            <li key={ref}>
              <IdLink id={ref} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Details">
        <Facts
          items={[
            { label: 'Workflow', value: <code>{job.workflow_id}</code> },
            { label: 'Created', value: <TimeValue value={job.created_at} format="full" /> },
            {
              label: 'Created by',
              value: job.created_by === 'service' ? 'Automatic triage' : <IdLink id={job.created_by} />,
            },
            { label: 'Reviewed by', value: job.reviewed_by !== null && <IdLink id={job.reviewed_by} /> },
            { label: 'Updated', value: <TimeValue value={job.updated_at} /> },
          ]}
        />
      </Section>
      <Section title="Trace">
        <JobTrace job={job} />
      </Section>
      <History id={job.job_id} />
    </DetailLayout>
  );
}

/** The message of the incident that a job is about; undefined if it is about something else, or until it is read. */
function useSubject({ input_refs: [first = '', ...others] }: Job): string | undefined {
  const client = useClient();
  const isReadable = useCan()('incidents:read') && first.startsWith('inc_') && others.length === 0;
  const { data } = useQuery({ ...subjectQuery(client, first), enabled: isReadable });
  return data && `Triage: ${data.message}`;
}

/** What a job is about: its first input. */
export function titleOfJob({ input_refs: [first = '', ...others] }: Job): string {
  return others.length === 0 ? `Triage of ${first}` : `Triage of ${first} and ${others.length} more`;
}

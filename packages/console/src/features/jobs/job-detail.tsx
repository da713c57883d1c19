import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Job } from '@tps/client';
import { DetailLayout, Facts, IdLink, QueryState, Section, StatusBadge, TimeValue } from '../../kit/index.ts';
import { useClient } from '../../session/index.ts';
import classes from './job-detail.module.css';
import { isRunning, jobQuery } from './job-queries.ts';
import { JobReport } from './report/job-report.tsx';
import { ReviewActions } from './review/review-actions.tsx';
import { JobHistory } from './trace/job-history.tsx';
import { JobTrace } from './trace/job-trace.tsx';

/** One job: as a page, and beside the list. */
export function JobDetail({ id }: { readonly id: string }) {
  const job = useQuery(jobQuery(useClient(), id));
  return <QueryState query={job}>{(value) => <Detail key={value.job_id} job={value} />}</QueryState>;
}

function Detail({ job }: { readonly job: Job }) {
  return (
    <DetailLayout
      id={job.job_id}
      title={titleOfJob(job)}
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
      <Section title="Facts">
        <Facts
          items={[
            { label: 'Workflow', value: <code>{job.workflow_id}</code> },
            { label: 'Created', value: <TimeValue value={job.created_at} format="full" /> },
            {
              label: 'Created by',
              value: job.created_by === 'service' ? 'Automatic triage' : <IdLink id={job.created_by} />,
            },
            { label: 'Reviewed by', value: job.reviewed_by !== null && <IdLink id={job.reviewed_by} /> },
            { label: 'Last change', value: <TimeValue value={job.updated_at} /> },
          ]}
        />
      </Section>
      <Section title="Trace">
        <JobTrace job={job} />
      </Section>
      <Section title="History">
        <JobHistory job={job} />
      </Section>
    </DetailLayout>
  );
}

/** What a job is about: its first input. */
export function titleOfJob({ input_refs: [first = '', ...others] }: Job): string {
  return others.length === 0 ? `Triage of ${first}` : `Triage of ${first} and ${others.length} more`;
}

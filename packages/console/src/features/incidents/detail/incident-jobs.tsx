import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IdLink, LinkList, Marks, QueryState, StatusBadge, TimeValue, useAct } from '../../../kit/index.ts';
import { useCan, useClient } from '../../../session/index.ts';
import { jobsOfIncidentQuery } from '../incident-queries.ts';
import classes from './incident-evidence.module.css';

const WORKFLOW = 'incident_triage_v1';

/** The automatic triage of an incident: its recommendation is reviewed on the page of the job. */
export function IncidentJobs({ id }: { readonly id: string }) {
  const can = useCan();
  const jobs = useQuery({ ...jobsOfIncidentQuery(useClient(), id), enabled: can('jobs:read') });
  const start = useAct({
    run: (client, _input, attempt) =>
      client.jobs.create({ workflow_id: WORKFLOW, input_refs: [id] }, attempt),
    changes: [['jobs']],
    done: 'Triage started',
  });
  if (!can('jobs:read')) return <p className={classes.quiet}>Your role does not read jobs.</p>;
  return (
    <QueryState query={jobs}>
      {({ data }) => (
        <div className={classes.evidence}>
          {data.length === 0 && <p className={classes.quiet}>No triage has run about this incident.</p>}
          <LinkList>
            {data.map((job) => (
              <li key={job.job_id} className={classes.item}>
                <IdLink id={job.job_id}>
                  {job.status === 'waiting_review' ? 'Review the recommendation' : job.job_id}
                </IdLink>
                <Marks>
                  <StatusBadge value={job.status} />
                  <TimeValue value={job.updated_at} />
                </Marks>
              </li>
            ))}
          </LinkList>
          {can('jobs:write') && (
            <div>
              <Button variant="default" size="xs" loading={start.isPending} onClick={() => start.mutate()}>
                {data.length === 0 ? 'Start triage' : 'Start triage again'}
              </Button>
            </div>
          )}
        </div>
      )}
    </QueryState>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { Job } from '@tps/client';
import { IdLink, LinkedText, QueryState, TimeValue } from '../../../kit/index.ts';
import { useClient } from '../../../session/index.ts';
import { auditOfJobQuery } from '../job-queries.ts';
import classes from './job-history.module.css';

/** Who created, reviewed and cancelled a job. */
export function JobHistory({ job }: { readonly job: Job }) {
  const audit = useQuery(auditOfJobQuery(useClient(), job));
  return (
    <QueryState query={audit}>
      {({ data }) => (
        <ol className={classes.history}>
          {data.map((entry) => (
            <li key={entry.audit_id}>
              <span className={classes.head}>
                <strong>{entry.actor.type === 'service' ? 'Service' : <IdLink id={entry.actor.id} />}</strong>
                <TimeValue value={entry.occurred_at} />
              </span>
              <div>
                <LinkedText text={entry.detail} />
              </div>
            </li>
          ))}
        </ol>
      )}
    </QueryState>
  );
}

import { type QueryFunctionContext, useQuery } from '@tanstack/react-query';
import type { AuditEntry } from '@tps/client';
import { EmptyState, IdLink, QueryState, TimeValue } from '../../kit/index.ts';
import classes from './audit-trail.module.css';

interface AuditTrailProps {
  readonly queryKey: readonly string[];
  readonly read: (
    context: Pick<QueryFunctionContext, 'signal'>,
  ) => Promise<{ readonly data: readonly AuditEntry[] }>;
}

/** What happened to a credential, and who did it, newest first. */
export function AuditTrail({ queryKey, read }: AuditTrailProps) {
  const query = useQuery({ queryKey, queryFn: read });
  return (
    <QueryState query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState title="Nothing is recorded yet." />
        ) : (
          <ol className={classes.trail}>
            {data.map((entry) => (
              <li key={entry.audit_id} className={classes.entry}>
                <TimeValue value={entry.occurred_at} />
                <span className={classes.detail}>{entry.detail}</span>
                <IdLink id={entry.actor.id} />
              </li>
            ))}
          </ol>
        )
      }
    </QueryState>
  );
}

import { useQuery } from '@tanstack/react-query';
import {
  IdLink,
  LinkList,
  Marks,
  QueryState,
  Severity,
  StatusBadge,
  TimeValue,
  toWords,
} from '../../../kit/index.ts';
import { useClient } from '../../../session/index.ts';
import { similarQuery } from '../incident-queries.ts';
import classes from './incident-evidence.module.css';

const SHARED = { indicator: 'same indicator', subject: 'same subject' } as const;

/** How similar incidents ended: the quickest way to a decision. */
export function SimilarIncidents({ id }: { readonly id: string }) {
  const similar = useQuery(similarQuery(useClient(), id));
  return (
    <QueryState query={similar}>
      {({ data }) =>
        data.length === 0 ? (
          <p className={classes.quiet}>No other incident shares an indicator or the device.</p>
        ) : (
          <LinkList>
            {data.map((one) => (
              <li key={one.id} className={classes.item}>
                <IdLink id={one.id}>{one.message}</IdLink>
                <Marks>
                  <Severity value={one.severity} />
                  <StatusBadge value={one.status} />
                  {one.resolution !== null && <strong>{toWords(one.resolution)}</strong>}
                  <span>{one.shared.map((kind) => SHARED[kind]).join(', ')}</span>
                  <TimeValue value={one.created_at} />
                </Marks>
              </li>
            ))}
          </LinkList>
        )
      }
    </QueryState>
  );
}

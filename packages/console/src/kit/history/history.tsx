import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCan, useClient } from '../../session/index.ts';
import { Section } from '../detail/section.tsx';
import { ErrorState } from '../states/error-state.tsx';
import { Actor } from '../values/actor.tsx';
import { IdLink } from '../values/id-link.tsx';
import { StatusBadge } from '../values/status-badge.tsx';
import { TimeValue } from '../values/time-value.tsx';
import classes from './history.module.css';
import { type HistoryRole, historyQuery, sourceOf } from './history-queries.ts';
import { type HistoryEntry, mergeTimeline, type TimelineEntry } from './merge-timeline.ts';

interface HistoryProps {
  /** The object: an incident, a device, a key and so on. */
  readonly id: string;
  /** What the object itself says about its past: `incident.timeline`. */
  readonly timeline?: readonly TimelineEntry[];
  /** `actor`: what this person, key or application did, instead of what happened to it. */
  readonly of?: HistoryRole;
  /** Default: History. */
  readonly title?: string;
}

const NO_TIMELINE: readonly TimelineEntry[] = [];

/** What happened to an object and whose act it was, newest first. A section of its detail. Without the scope, only the timeline. */
export function History(props: HistoryProps) {
  const { id, timeline = NO_TIMELINE, of: role = 'object', title = 'History' } = props;
  const isReadable = useCan()(sourceOf(id, role).scope);
  const client = useClient();
  const query = useInfiniteQuery({ ...historyQuery(client, id, role), enabled: isReadable });
  if (!isReadable && timeline.length === 0) return null;
  const audit = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const hasMore = isReadable && query.hasNextPage;
  const entries = mergeTimeline(audit, timeline, { hasMore });
  return (
    <Section title={title}>
      {query.isError && <ErrorState error={query.error} retry={() => query.refetch()} />}
      {entries.length === 0 && !query.isPending && !query.isError && (
        <Text size="sm" c="dimmed">
          Nothing recorded yet.
        </Text>
      )}
      <ol className={classes.list} aria-busy={query.isPending && isReadable}>
        {entries.map((entry) => (
          <Entry key={entry.key} entry={entry} of={role} />
        ))}
      </ol>
      {hasMore && (
        <Button
          variant="default"
          size="xs"
          loading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </Section>
  );
}

function Entry({ entry, of: role }: { readonly entry: HistoryEntry; readonly of: HistoryRole }) {
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        {role === 'actor' && entry.object ? (
          <IdLink id={entry.object.id}>{entry.object.name ?? entry.object.id}</IdLink>
        ) : (
          <Actor {...entry.actor} />
        )}
        <span className={classes.time}>
          <TimeValue value={entry.at} />
        </span>
      </div>
      <bdi className={classes.text}>{entry.text}</bdi>
      {entry.isDenied && <StatusBadge value="rejected" tone="bad" />}
    </li>
  );
}

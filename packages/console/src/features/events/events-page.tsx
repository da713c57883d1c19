import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { Event } from '@tps/client';
import { ListPage, type ListQuery, useListAddress, useShortcuts } from '../../kit/index.ts';
import { EVENTS } from './event-definition.tsx';
import { LiveStatus } from './live/live-status.tsx';
import { type LiveEvents, useLiveEvents } from './live/use-live-events.ts';

const TITLE = 'Events';
const DESCRIPTION = 'Every decision of every device, in the order of arrival.';

/** The feed: live, unless the filters end in the past. */
export function EventsPage() {
  const { query } = useListAddress<Event>(EVENTS);
  const isPast = query.until !== undefined || query.received_until !== undefined;
  return isPast ? (
    <ListPage definition={EVENTS} title={TITLE} description={DESCRIPTION} />
  ) : (
    <LiveEventsPage query={query} />
  );
}

function LiveEventsPage({ query }: { readonly query: ListQuery }) {
  const live = useLiveEvents(query);
  return (
    <ListPage
      definition={EVENTS}
      title={TITLE}
      description={DESCRIPTION}
      live={live.data}
      actions={
        <>
          <LiveStatus snapshot={live.snapshot} onRetry={live.tail.retry} />
          <PauseButton live={live} />
        </>
      }
    />
  );
}

function PauseButton({ live: { tail, snapshot, data } }: { readonly live: LiveEvents }) {
  const { isPaused } = snapshot;
  const toggle = () => (isPaused ? data.showNew() : tail.setPaused(true));
  useShortcuts([
    { keys: 'p', label: isPaused ? 'Resume live' : 'Pause live', group: TITLE, run: () => toggle() },
  ]);
  const Mark = isPaused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Button variant="default" onClick={toggle} leftSection={<Mark size={16} aria-hidden="true" />}>
      {isPaused ? 'Resume' : 'Pause'}
    </Button>
  );
}

import type { Event } from '@tps/client';
import { ACTIONS, PLATFORMS, SEVERITIES, THREAT_CATEGORIES } from '@tps/contract/vocabulary';
import { choicesOf, column, EmptyState, type ListDefinition, Snippet } from '../../kit/index.ts';
import { EventDetail } from './event-detail.tsx';
import { RedactedText } from './redacted-text.tsx';

/** The feed, newest first. */
export const EVENTS: ListDefinition<Event> = {
  noun: { one: 'event', many: 'events' },
  queryKey: 'events',
  pageSize: 200,
  read: (client, query, page) => client.events.list({ ...query, order: 'newest', ...page }).page(),
  count: (client, query, options) => client.events.counts({ ...query, ...options }),
  idOf: ({ event_id }) => event_id,
  titleOf: ({ description, event_id }) => description ?? event_id,
  columns: [
    column.time({ id: 'timestamp', header: 'Decided', width: 112, onCard: 'line' }),
    column.severity({ id: 'severity', header: 'Severity', filter: 'severity', width: 104, onCard: 'mark' }),
    column.status({
      id: 'action_taken',
      header: 'Action',
      filter: 'action_taken',
      width: 96,
      onCard: 'line',
    }),
    column.words({
      id: 'threat_category',
      header: 'Category',
      filter: 'threat_category',
      width: 160,
      onCard: 'line',
    }),
    {
      id: 'description',
      header: 'What happened',
      value: (event) => event.description ?? '',
      cell: (event) => <RedactedText text={event.description ?? ''} isLine />,
      width: 320,
      grows: true,
      onCard: 'title',
    },
    column.id({ id: 'device_id', header: 'Device', filter: 'device_id', width: 200 }),
    column.percent({ id: 'confidence', header: 'Confidence', width: 104, hiddenByDefault: true }),
    column.id({ id: 'policy_id', header: 'Policy', filter: 'policy_id', width: 200, hiddenByDefault: true }),
    column.id({ id: 'event_id', header: 'ID', width: 260, hiddenByDefault: true }),
  ],
  filters: [
    { name: 'severity', label: 'Severity', kind: 'any-of', choices: choicesOf(SEVERITIES) },
    { name: 'threat_category', label: 'Category', kind: 'any-of', choices: choicesOf(THREAT_CATEGORIES) },
    { name: 'action_taken', label: 'Action', kind: 'any-of', choices: choicesOf(ACTIONS) },
    { name: 'device_platform', label: 'Platform', kind: 'any-of', choices: choicesOf(PLATFORMS) },
    { name: 'device_id', label: 'Device', kind: 'id', placeholder: 'dev_…' },
    { name: 'policy_id', label: 'Policy', kind: 'id', placeholder: 'pol_…' },
    { name: 'indicator', label: 'Indicator', kind: 'text', placeholder: 'url:sha256:…' },
    { name: 'received_since', label: 'Arrived', kind: 'time-range', until: 'received_until' },
  ],
  detail: (id) => <EventDetail id={id} />,
  empty: (
    <EmptyState title="No events yet">
      Devices send their decisions here. Enrol a device on the page Devices, or simulate some with the command
      line:
      <Snippet
        label="Command that simulates devices"
        code="tps agent simulate --devices 5 --rate 2 --duration 5m"
      />
    </EmptyState>
  ),
};

import type { Event } from '@tps/client';
import { ACTIONS, PLATFORMS, SEVERITIES, THREAT_CATEGORIES } from '@tps/contract/vocabulary';
import {
  choicesOf,
  EmptyState,
  IdLink,
  type ListDefinition,
  Severity,
  Snippet,
  StatusBadge,
  TimeValue,
  toPercent,
  toWords,
} from '../../kit/index.ts';
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
    {
      id: 'timestamp',
      header: 'Decided',
      value: (event) => event.timestamp,
      cell: (event) => <TimeValue value={event.timestamp} />,
      width: 112,
      onCard: 'line',
    },
    {
      id: 'severity',
      header: 'Severity',
      value: (event) => event.severity,
      cell: (event) => <Severity value={event.severity} />,
      filter: 'severity',
      width: 104,
      onCard: 'mark',
    },
    {
      id: 'action_taken',
      header: 'Action',
      value: (event) => event.action_taken,
      cell: (event) => <StatusBadge value={event.action_taken} />,
      filter: 'action_taken',
      width: 96,
      onCard: 'line',
    },
    {
      id: 'threat_category',
      header: 'Category',
      value: (event) => event.threat_category,
      cell: (event) => toWords(event.threat_category),
      filter: 'threat_category',
      width: 160,
      onCard: 'line',
    },
    {
      id: 'description',
      header: 'What happened',
      value: (event) => event.description ?? '',
      cell: (event) => <RedactedText text={event.description ?? ''} isLine />,
      width: 320,
      grows: true,
      onCard: 'title',
    },
    {
      id: 'device_id',
      header: 'Device',
      value: (event) => event.device_id,
      cell: (event) => <IdLink id={event.device_id} />,
      filter: 'device_id',
      width: 200,
    },
    {
      id: 'confidence',
      header: 'Confidence',
      value: (event) => String(event.confidence),
      cell: (event) => toPercent(event.confidence),
      width: 104,
      align: 'end',
      hiddenByDefault: true,
    },
    {
      id: 'policy_id',
      header: 'Policy',
      value: (event) => event.policy_id,
      cell: (event) => <IdLink id={event.policy_id} />,
      filter: 'policy_id',
      width: 200,
      hiddenByDefault: true,
    },
    {
      id: 'event_id',
      header: 'ID',
      value: (event) => event.event_id,
      cell: (event) => <IdLink id={event.event_id} />,
      width: 260,
      hiddenByDefault: true,
    },
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

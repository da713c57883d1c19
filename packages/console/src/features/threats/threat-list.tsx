import { Text } from '@mantine/core';
import type { Threat } from '@tps/client';
import { SEVERITIES, THREAT_CATEGORIES, THREAT_STATUSES } from '@tps/contract/vocabulary';
import {
  choicesOf,
  EmptyState,
  IdLink,
  type ListDefinition,
  ListPage,
  Severity,
  TimeValue,
  toPercent,
  toWords,
} from '../../kit/index.ts';
import { ThreatDetail } from './threat-detail.tsx';
import { THREATS as QUERY_KEY } from './threat-queries.ts';
import { ThreatStatus } from './threat-status.tsx';

const THREATS: ListDefinition<Threat> = {
  noun: { one: 'threat', many: 'threats' },
  queryKey: QUERY_KEY,
  read: (client, query, page) => client.threats.list({ ...query, ...page }).page(),
  count: (client, query, options) => client.threats.counts({ ...query, ...options }),
  idOf: ({ threat_id: id }) => id,
  titleOf: titleOf,
  columns: [
    {
      id: 'severity',
      header: 'Severity',
      value: ({ severity }) => severity,
      cell: ({ severity }) => <Severity value={severity} />,
      filter: 'severity',
      width: 104,
      onCard: 'mark',
    },
    {
      id: 'description',
      header: 'What it is',
      value: titleOf,
      width: 240,
      grows: true,
      onCard: 'title',
    },
    {
      id: 'status',
      header: 'Status',
      value: ({ status }) => status,
      cell: ({ status }) => <ThreatStatus value={status} />,
      filter: 'status',
      width: 118,
      onCard: 'line',
    },
    {
      id: 'category',
      header: 'Category',
      value: ({ threat_category: category }) => category,
      cell: ({ threat_category: category }) => toWords(category),
      filter: 'threat_category',
      width: 150,
    },
    {
      id: 'confidence',
      header: 'Confidence',
      value: ({ confidence }) => toPercent(confidence),
      width: 104,
      align: 'end',
    },
    {
      id: 'device',
      header: 'Device',
      value: ({ device_id: id }) => id,
      cell: ({ device_id: id }) => <IdLink id={id} />,
      filter: 'device_id',
      width: 190,
      onCard: 'line',
    },
    {
      id: 'indicator',
      header: 'First indicator',
      value: ({ indicators: [first = ''] }) => first,
      filter: 'indicator',
      filterValue: ({ indicators: [first] }) => first,
      width: 220,
    },
    {
      id: 'events',
      header: 'Events',
      value: ({ event_count: count }) => String(count),
      width: 76,
      align: 'end',
    },
    {
      id: 'last_seen',
      header: 'Last seen',
      value: ({ last_seen_at: at }) => at,
      cell: ({ last_seen_at: at }) => <TimeValue value={at} />,
      width: 112,
      onCard: 'line',
    },
    {
      id: 'detected_at',
      header: 'Detected',
      value: ({ detected_at: at }) => at,
      cell: ({ detected_at: at }) => <TimeValue value={at} />,
      width: 112,
      hiddenByDefault: true,
    },
    {
      id: 'id',
      header: 'ID',
      value: ({ threat_id: id }) => id,
      cell: ({ threat_id: id }) => <IdLink id={id} />,
      width: 260,
      hiddenByDefault: true,
    },
  ],
  filters: [
    { name: 'severity', label: 'Severity', kind: 'any-of', choices: choicesOf(SEVERITIES) },
    { name: 'status', label: 'Status', kind: 'any-of', choices: choicesOf(THREAT_STATUSES) },
    { name: 'threat_category', label: 'Category', kind: 'any-of', choices: choicesOf(THREAT_CATEGORIES) },
    { name: 'device_id', label: 'Device', kind: 'id', placeholder: 'dev_…' },
    { name: 'incident_id', label: 'Incident', kind: 'id', placeholder: 'inc_…' },
    { name: 'indicator', label: 'Indicator', kind: 'text' },
    { name: 'since', label: 'Detected', kind: 'time-range' },
  ],
  hiddenByDefault: { status: 'active' },
  views: [
    {
      id: 'high',
      name: 'Active and high or critical',
      query: { status: 'active', severity: 'high,critical' },
    },
    { id: 'day', name: 'Detected in the last 24 h', query: { since: '-24h' } },
  ],
  detail: (id) => <ThreatDetail id={id} />,
  empty: (
    <EmptyState title="No threats yet">
      <Text size="sm">Warnings and blocks of one device that share an indicator become a threat.</Text>
    </EmptyState>
  ),
};

function titleOf({ description, threat_category: category }: Threat): string {
  return description ?? toWords(category);
}

export function ThreatsPage() {
  return (
    <ListPage
      definition={THREATS}
      title="Threats"
      description="Related warnings and blocks of one device. A threat stops being active with its incident, or after seven days without an event."
    />
  );
}

import { Text } from '@mantine/core';
import type { Threat } from '@tps/client';
import { SEVERITIES, THREAT_CATEGORIES, THREAT_STATUSES } from '@tps/contract/vocabulary';
import {
  choicesOf,
  column,
  EmptyState,
  type ListDefinition,
  ListPage,
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
    column.severity({ id: 'severity', header: 'Severity', filter: 'severity', width: 104, onCard: 'mark' }),
    { id: 'description', header: 'What it is', value: titleOf, width: 240, grows: true, onCard: 'title' },
    {
      id: 'status',
      header: 'Status',
      value: ({ status }) => status,
      cell: ({ status }) => <ThreatStatus value={status} />,
      filter: 'status',
      width: 118,
      onCard: 'line',
    },
    column.words({
      id: 'category',
      from: 'threat_category',
      header: 'Category',
      filter: 'threat_category',
      width: 150,
    }),
    {
      id: 'confidence',
      header: 'Confidence',
      value: ({ confidence }) => toPercent(confidence),
      width: 104,
      align: 'end',
    },
    column.id({
      id: 'device',
      from: 'device_id',
      header: 'Device',
      filter: 'device_id',
      width: 190,
      onCard: 'line',
    }),
    {
      id: 'indicator',
      header: 'First indicator',
      value: ({ indicators: [first = ''] }) => first,
      filter: 'indicator',
      filterValue: ({ indicators: [first] }) => first,
      width: 220,
    },
    column.count({ id: 'events', from: 'event_count', header: 'Events', width: 76 }),
    column.time({ id: 'last_seen', from: 'last_seen_at', header: 'Last seen', width: 112, onCard: 'line' }),
    column.time({ id: 'detected_at', header: 'Detected', width: 112, hiddenByDefault: true }),
    column.id({ id: 'id', from: 'threat_id', header: 'ID', width: 260, hiddenByDefault: true }),
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

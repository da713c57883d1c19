import { Text } from '@mantine/core';
import type { Alert } from '@tps/client';
import { ALERT_STATUSES, SEVERITIES, THREAT_CATEGORIES } from '@tps/contract/vocabulary';
import {
  choicesOf,
  EmptyState,
  IdLink,
  type ListDefinition,
  ListPage,
  Severity,
  StatusBadge,
  TimeValue,
  toWords,
} from '../../kit/index.ts';
import { AlertDetail } from './alert-detail.tsx';
import { ALERTS as QUERY_KEY } from './alert-queries.ts';

const ALERTS: ListDefinition<Alert> = {
  noun: { one: 'alert', many: 'alerts' },
  queryKey: QUERY_KEY,
  read: (client, query, page) => client.alerts.list({ ...query, ...page }).page(),
  count: (client, query, options) => client.alerts.counts({ ...query, ...options }),
  idOf: ({ alert_id: id }) => id,
  titleOf: ({ title }) => title,
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
      id: 'title',
      header: 'What happened',
      value: ({ title }) => title,
      width: 260,
      grows: true,
      onCard: 'title',
    },
    {
      id: 'status',
      header: 'Status',
      value: ({ status }) => status,
      cell: ({ status }) => <StatusBadge value={status} />,
      filter: 'status',
      width: 112,
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
      id: 'device',
      header: 'Device',
      value: ({ device_id: id }) => id,
      cell: ({ device_id: id }) => <IdLink id={id} />,
      filter: 'device_id',
      width: 190,
      onCard: 'line',
    },
    {
      id: 'incident',
      header: 'Incident',
      value: ({ incident_id: id }) => id ?? '',
      cell: ({ incident_id: id }) => id !== null && <IdLink id={id} />,
      width: 230,
    },
    {
      id: 'events',
      header: 'Events',
      value: ({ event_ids: ids }) => String(ids.length),
      width: 76,
      align: 'end',
    },
    {
      id: 'created_at',
      header: 'Created',
      value: ({ created_at: at }) => at,
      cell: ({ created_at: at }) => <TimeValue value={at} />,
      width: 112,
      onCard: 'line',
    },
    {
      id: 'id',
      header: 'ID',
      value: ({ alert_id: id }) => id,
      cell: ({ alert_id: id }) => <IdLink id={id} />,
      width: 260,
      hiddenByDefault: true,
    },
  ],
  filters: [
    { name: 'severity', label: 'Severity', kind: 'any-of', choices: choicesOf(SEVERITIES) },
    { name: 'status', label: 'Status', kind: 'any-of', choices: choicesOf(ALERT_STATUSES) },
    { name: 'threat_category', label: 'Category', kind: 'any-of', choices: choicesOf(THREAT_CATEGORIES) },
    { name: 'device_id', label: 'Device', kind: 'id', placeholder: 'dev_…' },
    { name: 'incident_id', label: 'Incident', kind: 'id', placeholder: 'inc_…' },
    { name: 'since', label: 'Created', kind: 'time-range' },
  ],
  hiddenByDefault: { status: 'open' },
  views: [
    { id: 'high', name: 'High or critical, last 24 h', query: { severity: 'high,critical', since: '-24h' } },
    { id: 'day', name: 'Everything, last 24 h', query: { since: '-24h' } },
  ],
  detail: (id) => <AlertDetail id={id} />,
  empty: (
    <EmptyState title="No alerts yet">
      <Text size="sm">
        Every block opens an alert, and so does every warning of high or critical severity.
      </Text>
    </EmptyState>
  ),
};

export function AlertsPage() {
  return (
    <ListPage
      definition={ALERTS}
      title="Alerts"
      description="Blocks, and warnings of high or critical severity. Alerts end with their incident."
    />
  );
}

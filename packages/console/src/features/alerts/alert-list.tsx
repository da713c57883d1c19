import { Text } from '@mantine/core';
import type { Alert } from '@tps/client';
import { ALERT_STATUSES, SEVERITIES, THREAT_CATEGORIES } from '@tps/contract/vocabulary';
import { choicesOf, column, EmptyState, type ListDefinition, ListPage } from '../../kit/index.ts';
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
    column.severity({ id: 'severity', header: 'Severity', filter: 'severity', width: 104, onCard: 'mark' }),
    column.text({ id: 'title', header: 'What happened', width: 260, grows: true, onCard: 'title' }),
    column.status({ id: 'status', header: 'Status', filter: 'status', width: 112, onCard: 'line' }),
    column.words({
      id: 'category',
      from: 'threat_category',
      header: 'Category',
      filter: 'threat_category',
      width: 150,
    }),
    column.id({
      id: 'device',
      from: 'device_id',
      header: 'Device',
      filter: 'device_id',
      width: 190,
      onCard: 'line',
    }),
    column.id({ id: 'incident', from: 'incident_id', header: 'Incident', width: 230 }),
    column.count({ id: 'events', from: ({ event_ids: ids }) => ids.length, header: 'Events', width: 76 }),
    column.time({ id: 'created_at', header: 'Created', width: 112, onCard: 'line' }),
    column.id({ id: 'id', from: 'alert_id', header: 'ID', width: 260, hiddenByDefault: true }),
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

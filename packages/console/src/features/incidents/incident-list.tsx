import { Text } from '@mantine/core';
import type { Incident } from '@tps/client';
import { INCIDENT_CATEGORIES, INCIDENT_STATUSES, SEVERITIES } from '@tps/contract/vocabulary';
import { choicesOf, column, EmptyState, type ListDefinition, ListPage } from '../../kit/index.ts';
import { INCIDENT_BULK_ACTIONS } from './bulk/incident-bulk-actions.tsx';
import { IncidentDetail } from './incident-detail.tsx';
import { INCIDENTS as QUERY_KEY } from './incident-queries.ts';

const INCIDENTS: ListDefinition<Incident> = {
  noun: { one: 'incident', many: 'incidents' },
  queryKey: QUERY_KEY,
  read: (client, query, page) => client.incidents.list({ ...query, ...page }).page(),
  count: (client, query, options) => client.incidents.counts({ ...query, ...options }),
  idOf: ({ id }) => id,
  titleOf: ({ message }) => message,
  columns: [
    column.severity({
      id: 'severity',
      header: 'Severity',
      filter: 'severity',
      sort: 'severity',
      width: 104,
      onCard: 'mark',
    }),
    column.text({ id: 'message', header: 'What happened', width: 280, grows: true, onCard: 'title' }),
    column.status({ id: 'status', header: 'Status', filter: 'status', width: 124, onCard: 'line' }),
    {
      id: 'assignee',
      header: 'Assignee',
      value: ({ assignee, assignee_name: name }) => name ?? assignee ?? '',
      filter: 'assignee',
      filterValue: ({ assignee }) => assignee ?? 'none',
      width: 150,
      onCard: 'line',
    },
    column.words({
      id: 'category',
      header: 'Category',
      filter: 'category',
      width: 150,
      hiddenByDefault: true,
    }),
    column.count({ id: 'alerts', from: ({ alert_ids: ids }) => ids.length, header: 'Alerts', width: 72 }),
    {
      id: 'tags',
      header: 'Tags',
      value: ({ tags }) => tags.join(', '),
      filter: 'tag',
      filterValue: ({ tags: [first] }) => first,
      width: 120,
    },
    column.words({ id: 'resolution', header: 'Resolution', width: 130, hiddenByDefault: true }),
    column.time({
      id: 'updated_at',
      header: 'Updated',
      sort: 'updated_at',
      width: 112,
      hiddenByDefault: true,
    }),
    column.time({ id: 'created_at', header: 'Created', width: 112, onCard: 'line' }),
    column.id({ id: 'id', header: 'ID', width: 260, hiddenByDefault: true }),
  ],
  filters: [
    { name: 'severity', label: 'Severity', kind: 'any-of', choices: choicesOf(SEVERITIES) },
    { name: 'status', label: 'Status', kind: 'any-of', choices: choicesOf(INCIDENT_STATUSES) },
    { name: 'category', label: 'Category', kind: 'any-of', choices: choicesOf(INCIDENT_CATEGORIES) },
    { name: 'assignee', label: 'Assignee', kind: 'text', placeholder: 'me, none, or a name' },
    { name: 'tag', label: 'Tag', kind: 'text' },
    { name: 'since', label: 'Created', kind: 'time-range' },
  ],
  sorts: [
    { value: 'severity', label: 'Highest severity first' },
    { value: 'updated_at', label: 'Recently updated first' },
  ],
  hiddenByDefault: { status: '!resolved,closed' },
  views: [
    { id: 'mine', name: 'Open and mine', query: { status: '!resolved,closed', assignee: 'me' } },
    {
      id: 'unassigned',
      name: 'Unassigned, highest severity first',
      query: { status: '!resolved,closed', assignee: 'none', sort: 'severity' },
    },
    { id: 'high', name: 'High or critical, last 24 h', query: { severity: 'high,critical', since: '-24h' } },
    { id: 'ended', name: 'Resolved, last 7 days', query: { status: 'resolved,closed', since: '-7d' } },
  ],
  bulk: INCIDENT_BULK_ACTIONS,
  detail: (id) => <IncidentDetail id={id} />,
  empty: (
    <EmptyState title="No incidents yet">
      <Text size="sm">
        A block or warning of high or critical severity opens an incident, and so does an indicator that three
        devices report.
      </Text>
    </EmptyState>
  ),
};

export function IncidentsPage() {
  return (
    <ListPage
      definition={INCIDENTS}
      title="Incidents"
      description="Alerts grouped into cases for a person to handle. Newest first."
    />
  );
}

import { Text } from '@mantine/core';
import type { Incident } from '@tps/client';
import { INCIDENT_CATEGORIES, INCIDENT_STATUSES, SEVERITIES } from '@tps/contract/vocabulary';
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
    {
      id: 'severity',
      header: 'Severity',
      value: ({ severity }) => severity,
      cell: ({ severity }) => <Severity value={severity} />,
      filter: 'severity',
      sort: 'severity',
      width: 104,
      onCard: 'mark',
    },
    {
      id: 'message',
      header: 'What happened',
      value: ({ message }) => message,
      width: 280,
      grows: true,
      onCard: 'title',
    },
    {
      id: 'status',
      header: 'Status',
      value: ({ status }) => status,
      cell: ({ status }) => <StatusBadge value={status} />,
      filter: 'status',
      width: 124,
      onCard: 'line',
    },
    {
      id: 'assignee',
      header: 'Assignee',
      value: ({ assignee, assignee_name: name }) => name ?? assignee ?? '',
      filter: 'assignee',
      filterValue: ({ assignee }) => assignee ?? 'none',
      width: 150,
      onCard: 'line',
    },
    {
      id: 'category',
      header: 'Category',
      value: ({ category }) => category,
      cell: ({ category }) => toWords(category),
      filter: 'category',
      width: 150,
      hiddenByDefault: true,
    },
    {
      id: 'alerts',
      header: 'Alerts',
      value: ({ alert_ids: ids }) => String(ids.length),
      width: 72,
      align: 'end',
    },
    {
      id: 'tags',
      header: 'Tags',
      value: ({ tags }) => tags.join(', '),
      filter: 'tag',
      filterValue: ({ tags: [first] }) => first,
      width: 120,
    },
    {
      id: 'resolution',
      header: 'Resolution',
      value: ({ resolution }) => resolution ?? '',
      cell: ({ resolution }) => (resolution === null ? '' : toWords(resolution)),
      width: 130,
      hiddenByDefault: true,
    },
    {
      id: 'updated_at',
      header: 'Updated',
      value: ({ updated_at: at }) => at,
      cell: ({ updated_at: at }) => <TimeValue value={at} />,
      sort: 'updated_at',
      width: 112,
      hiddenByDefault: true,
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
      value: ({ id }) => id,
      cell: ({ id }) => <IdLink id={id} />,
      width: 260,
      hiddenByDefault: true,
    },
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

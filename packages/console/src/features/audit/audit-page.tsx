import { Text } from '@mantine/core';
import type { AuditEntry } from '@tps/client';
import {
  Actor,
  actorText,
  choicesOf,
  column,
  EmptyState,
  IdLink,
  type ListDefinition,
  ListPage,
  StatusBadge,
} from '../../kit/index.ts';
import { AuditDetail } from './audit-detail.tsx';
import classes from './audit-page.module.css';

const ACTOR_TYPES = ['account', 'token', 'oauth_client', 'command_line', 'service'];

/** Kinds of what entries are about. Others can be filtered from a cell. */
const RESOURCE_TYPES = [
  'account',
  'alert',
  'device',
  'enrolment',
  'incident',
  'indicator_source',
  'invitation',
  'job',
  'oauth_client',
  'policy',
  'sign_on',
  'tenant',
  'token',
  'view',
  'webhook',
];

const AUDIT: ListDefinition<AuditEntry> = {
  noun: { one: 'audit entry', many: 'audit entries' },
  queryKey: 'audit',
  read: (client, query, page) => client.audit.list({ ...query, ...page }).page(),
  count: (client, query, options) => client.audit.counts({ ...query, ...options }),
  idOf: ({ audit_id }) => audit_id,
  titleOf: ({ detail }) => detail,
  columns: [
    column.time({ id: 'occurred_at', header: 'When', width: 96, onCard: 'line' }),
    {
      id: 'outcome',
      header: 'Outcome',
      value: (entry) => entry.outcome,
      cell: (entry) =>
        entry.outcome === 'denied' ? (
          <StatusBadge value="denied" />
        ) : (
          <span className={classes.quiet}>Success</span>
        ),
      filter: 'outcome',
      width: 96,
      onCard: 'mark',
    },
    {
      id: 'actor',
      header: 'Actor',
      value: (entry) => actorText(entry.actor),
      cell: (entry) => <Actor {...entry.actor} />,
      filter: 'actor_id',
      filterValue: (entry) => entry.actor.id,
      width: 168,
      onCard: 'line',
    },
    column.text({ id: 'action', header: 'Action', filter: 'action', width: 168, onCard: 'line' }),
    {
      id: 'detail',
      header: 'What happened',
      value: (entry) => entry.detail,
      cell: (entry) => <bdi>{entry.detail}</bdi>,
      width: 260,
      grows: true,
      onCard: 'title',
    },
    {
      id: 'resource',
      header: 'Object',
      value: (entry) => entry.resource.id,
      cell: (entry) => (
        <bdi>
          <IdLink id={entry.resource.id}>{entry.resource.name ?? entry.resource.id}</IdLink>
        </bdi>
      ),
      filter: 'resource_id',
      width: 180,
    },
    {
      id: 'resource_type',
      header: 'Kind of object',
      value: (entry) => entry.resource.type,
      filter: 'resource_type',
      width: 130,
      hiddenByDefault: true,
    },
    {
      id: 'actor_type',
      header: 'Kind of actor',
      value: (entry) => entry.actor.type,
      filter: 'actor_type',
      width: 130,
      hiddenByDefault: true,
    },
    column.text({ id: 'request_id', header: 'Request', width: 170, hiddenByDefault: true }),
  ],
  filters: [
    { name: 'outcome', label: 'Outcome', kind: 'any-of', choices: choicesOf(['success', 'denied']) },
    { name: 'resource_type', label: 'Kind of object', kind: 'any-of', choices: choicesOf(RESOURCE_TYPES) },
    { name: 'actor_type', label: 'Kind of actor', kind: 'any-of', choices: choicesOf(ACTOR_TYPES) },
    { name: 'action', label: 'Action', kind: 'text', placeholder: 'token.create' },
    { name: 'actor_id', label: 'Actor', kind: 'text', placeholder: 'acc_…' },
    { name: 'resource_id', label: 'Object', kind: 'text', placeholder: 'inc_…' },
    { name: 'since', label: 'When', kind: 'time-range' },
  ],
  views: [
    { id: 'rejected', name: 'Rejected attempts', query: { outcome: 'denied' } },
    { id: 'people', name: 'By people, last 24 h', query: { actor_type: 'account', since: '-24h' } },
    {
      id: 'access',
      name: 'Access, last 7 days',
      query: { resource_type: 'account,invitation,oauth_client,sign_on,token,enrolment', since: '-7d' },
    },
    { id: 'operator', name: 'By the operator', query: { actor_type: 'command_line' } },
  ],
  detail: (id) => <AuditDetail id={id} />,
  empty: (
    <EmptyState title="Nothing is recorded yet.">
      <Text size="sm">
        Each change of who has access, of devices, policies, webhooks and incidents is recorded here, with its
        actor. So are rejected attempts.
      </Text>
    </EmptyState>
  ),
};

export function AuditPage() {
  return (
    <ListPage
      definition={AUDIT}
      title="Audit"
      description="Privileged changes and rejected attempts. Entries cannot be changed or removed; they form a chain that the operator can verify."
    />
  );
}

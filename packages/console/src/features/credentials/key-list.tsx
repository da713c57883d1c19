import { Button } from '@mantine/core';
import type { Token } from '@tps/client';
import {
  EmptyState,
  IdLink,
  type ListDefinition,
  ListPage,
  StatusBadge,
  TimeValue,
  useDialog,
} from '../../kit/index.ts';
import { useCan } from '../../session/index.ts';
import { reminderOf } from './key-reminder.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { toScopeSummary } from './scope-presets.ts';

const KEYS: ListDefinition<Token> = {
  noun: { one: 'key', many: 'keys' },
  queryKey: 'keys',
  read: (client, _query, { cursor, ...page }) =>
    client.tokens.list({ ...page, ...(cursor !== null && { cursor }) }).page(),
  idOf: ({ token_id }) => token_id,
  titleOf: ({ name }) => name,
  columns: [
    { id: 'name', header: 'Name', value: (key) => key.name, width: 160, grows: true, onCard: 'title' },
    {
      id: 'status',
      header: 'Status',
      value: (key) => key.status,
      cell: (key) => <StatusBadge value={key.status} />,
      width: 104,
      onCard: 'mark',
    },
    {
      id: 'hint',
      header: 'Key',
      value: (key) => key.hint,
      cell: (key) => <code>{key.hint}</code>,
      width: 136,
      onCard: 'line',
    },
    { id: 'scopes', header: 'Scopes', value: (key) => toScopeSummary(key.scopes), width: 184 },
    {
      id: 'last_used_at',
      header: 'Last used',
      value: (key) => key.last_used_at ?? '',
      cell: (key) => (key.last_used_at === null ? 'Never used' : <TimeValue value={key.last_used_at} />),
      width: 100,
      onCard: 'line',
    },
    {
      id: 'expires_at',
      header: 'Expires',
      value: (key) => key.expires_at ?? '',
      cell: (key) => (key.expires_at === null ? 'Never' : <TimeValue value={key.expires_at} />),
      width: 100,
    },
    {
      id: 'reminder',
      header: 'To do',
      value: (key) => reminderOf(key, Date.now()) ?? '',
      cell: (key) => <Reminder token={key} />,
      width: 176,
      onCard: 'line',
    },
    {
      id: 'created_at',
      header: 'Created',
      value: (key) => key.created_at,
      cell: (key) => <TimeValue value={key.created_at} />,
      width: 112,
      hiddenByDefault: true,
    },
    {
      id: 'id',
      header: 'ID',
      value: (key) => key.token_id,
      cell: (key) => <IdLink id={key.token_id} />,
      width: 260,
      hiddenByDefault: true,
    },
  ],
  filters: [],
  empty: (
    <EmptyState title="No keys yet">
      A key lets a program use the API, such as a SIEM or a script. Give each program its own key, with only
      the scopes it needs.
    </EmptyState>
  ),
};

function Reminder({ token }: { readonly token: Token }) {
  const reminder = reminderOf(token, Date.now());
  return reminder === undefined ? null : <StatusBadge value={reminder} tone="warning" />;
}

export function KeysPage() {
  const can = useCan();
  const { open } = useDialog('new');
  return (
    <>
      <ListPage
        definition={KEYS}
        title="Keys"
        description="Programs use the API with these keys. People sign in instead."
        actions={can('tokens:write') && <Button onClick={open}>New key</Button>}
      />
      {can('tokens:write') && <NewKeyDialog />}
    </>
  );
}

import type { Token } from '@tps/client';
import {
  column,
  DialogButton,
  EmptyState,
  type ListDefinition,
  ListPage,
  StatusBadge,
} from '../../kit/index.ts';
import { useCan } from '../../session/index.ts';
import { reminderOf } from './key-reminder.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { toScopeSummary } from './scope-presets.ts';

const KEYS: ListDefinition<Token> = {
  noun: { one: 'key', many: 'keys' },
  queryKey: 'keys',
  read: (client, _query, page) => client.tokens.list(page).page(),
  idOf: ({ token_id }) => token_id,
  titleOf: ({ name }) => name,
  columns: [
    column.text({ id: 'name', header: 'Name', width: 160, grows: true, onCard: 'title' }),
    column.status({ id: 'status', header: 'Status', width: 104, onCard: 'mark' }),
    {
      id: 'hint',
      header: 'Key',
      value: (key) => key.hint,
      cell: (key) => <code>{key.hint}</code>,
      width: 136,
      onCard: 'line',
    },
    { id: 'scopes', header: 'Scopes', value: (key) => toScopeSummary(key.scopes), width: 184 },
    column.time({
      id: 'last_used_at',
      header: 'Last used',
      absent: 'Never used',
      width: 100,
      onCard: 'line',
    }),
    column.time({ id: 'expires_at', header: 'Expires', absent: 'Never', width: 100 }),
    {
      id: 'reminder',
      header: 'To do',
      value: (key) => reminderOf(key, Date.now()) ?? '',
      cell: (key) => <Reminder token={key} />,
      width: 176,
      onCard: 'line',
    },
    column.time({ id: 'created_at', header: 'Created', width: 112, hiddenByDefault: true }),
    column.id({ id: 'id', from: 'token_id', header: 'ID', width: 260, hiddenByDefault: true }),
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
  return (
    <>
      <ListPage
        definition={KEYS}
        title="Keys"
        description="Programs use the API with these keys. People sign in instead."
        actions={can('tokens:write') && <DialogButton opens="new" label="New key" isMain />}
      />
      {can('tokens:write') && <NewKeyDialog />}
    </>
  );
}

import type { OAuthClient } from '@tps/client';
import { column, DialogButton, EmptyState, type ListDefinition, ListPage } from '../../kit/index.ts';
import { useCan } from '../../session/index.ts';
import { toGrantWords, toMethodWords } from './client-kinds.ts';
import { NewClientDialog } from './new-client-dialog.tsx';
import { toScopeSummary } from './scope-presets.ts';

const CLIENTS: ListDefinition<OAuthClient> = {
  noun: { one: 'OAuth client', many: 'OAuth clients' },
  queryKey: 'oauth-clients',
  read: (client, _query, page) => client.oauthClients.list(page).page(),
  idOf: ({ client_id }) => client_id,
  titleOf: ({ name }) => name,
  columns: [
    column.text({ id: 'name', header: 'Name', width: 180, grows: true, onCard: 'title' }),
    {
      id: 'grants',
      header: 'Grant types',
      value: (one) => toGrantWords(one.grant_types),
      width: 240,
      onCard: 'line',
    },
    { id: 'method', header: 'Authentication', value: toMethodWords, width: 200 },
    { id: 'scopes', header: 'Scopes', value: (one) => toScopeSummary(one.scopes), width: 184 },
    column.time({ id: 'last_used_at', header: 'Last used', absent: 'Never', width: 104, onCard: 'line' }),
    column.time({ id: 'created_at', header: 'Created', width: 104, hiddenByDefault: true }),
    column.id({ id: 'id', from: 'client_id', header: 'Client ID', width: 260, hiddenByDefault: true }),
  ],
  filters: [],
  empty: (
    <EmptyState title="No OAuth clients yet">
      An OAuth client gets short-lived access tokens, for itself or for a person who allows it. A program that
      can keep a long-lived key needs none.
    </EmptyState>
  ),
};

export function ClientsPage() {
  const can = useCan();
  return (
    <>
      <ListPage
        definition={CLIENTS}
        title="OAuth clients"
        description="Programs that get access tokens with OAuth2, for themselves or for people."
        actions={can('tokens:write') && <DialogButton opens="new" label="New OAuth client" isMain />}
      />
      {can('tokens:write') && <NewClientDialog />}
    </>
  );
}

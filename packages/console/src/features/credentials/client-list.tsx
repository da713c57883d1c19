import { Button } from '@mantine/core';
import type { OAuthClient } from '@tps/client';
import { EmptyState, IdLink, type ListDefinition, ListPage, TimeValue, useDialog } from '../../kit/index.ts';
import { useCan } from '../../session/index.ts';
import { toGrantWords, toMethodWords } from './client-kinds.ts';
import { NewClientDialog } from './new-client-dialog.tsx';
import { toScopeSummary } from './scope-presets.ts';

const CLIENTS: ListDefinition<OAuthClient> = {
  noun: { one: 'OAuth client', many: 'OAuth clients' },
  queryKey: 'oauth-clients',
  read: (client, _query, { cursor, ...page }) =>
    client.oauthClients.list({ ...page, ...(cursor !== null && { cursor }) }).page(),
  idOf: ({ client_id }) => client_id,
  titleOf: ({ name }) => name,
  columns: [
    { id: 'name', header: 'Name', value: (one) => one.name, width: 180, grows: true, onCard: 'title' },
    {
      id: 'grants',
      header: 'Grant types',
      value: (one) => toGrantWords(one.grant_types),
      width: 240,
      onCard: 'line',
    },
    { id: 'method', header: 'Authentication', value: toMethodWords, width: 200 },
    { id: 'scopes', header: 'Scopes', value: (one) => toScopeSummary(one.scopes), width: 184 },
    {
      id: 'last_used_at',
      header: 'Last used',
      value: (one) => one.last_used_at ?? '',
      cell: (one) => (one.last_used_at === null ? 'Never' : <TimeValue value={one.last_used_at} />),
      width: 104,
      onCard: 'line',
    },
    {
      id: 'created_at',
      header: 'Created',
      value: (one) => one.created_at,
      cell: (one) => <TimeValue value={one.created_at} />,
      width: 104,
      hiddenByDefault: true,
    },
    {
      id: 'id',
      header: 'Client ID',
      value: (one) => one.client_id,
      cell: (one) => <IdLink id={one.client_id} />,
      width: 260,
      hiddenByDefault: true,
    },
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
  const { open } = useDialog('new');
  return (
    <>
      <ListPage
        definition={CLIENTS}
        title="OAuth clients"
        description="Programs that get access tokens with OAuth2, for themselves or for people."
        actions={can('tokens:write') && <Button onClick={open}>New OAuth client</Button>}
      />
      {can('tokens:write') && <NewClientDialog />}
    </>
  );
}

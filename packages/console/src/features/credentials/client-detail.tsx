import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { OAuthClient } from '@tps/client';
import {
  DetailLayout,
  DialogButton,
  Facts,
  History,
  IdLink,
  QueryState,
  Section,
  TimeValue,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import { toGrantWords, toMethodWords } from './client-kinds.ts';
import { DeleteClientDialog } from './delete-client-dialog.tsx';
import { EditClientDialog } from './edit-client-dialog.tsx';
import { RotateSecretDialog } from './rotate-secret-dialog.tsx';
import { ScopeList } from './scope-picker.tsx';

export function ClientPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const client = useClient();
  const query = useQuery({
    queryKey: ['oauth-clients', id],
    queryFn: ({ signal }) => client.oauthClients.get(id, { signal }),
  });
  return <QueryState query={query}>{(one) => <ClientDetail key={one.client_id} client={one} />}</QueryState>;
}

function ClientDetail({ client }: { readonly client: OAuthClient }) {
  const mayChange = useCan()('tokens:write');
  const hasSecret = client.secret_hint !== null;
  return (
    <DetailLayout
      id={client.client_id}
      title={client.name}
      actions={mayChange && <ClientActions hasSecret={hasSecret} />}
    >
      <Section title="Details">
        <ClientFacts client={client} />
      </Section>
      <Section title="Scopes">
        <ScopeList scopes={client.scopes} />
      </Section>
      <History id={client.client_id} />
      <History id={client.client_id} of="actor" title="What it did" />
      {mayChange && <EditClientDialog client={client} />}
      {mayChange && hasSecret && <RotateSecretDialog client={client} />}
      {mayChange && <DeleteClientDialog client={client} />}
    </DetailLayout>
  );
}

function ClientActions({ hasSecret }: { readonly hasSecret: boolean }) {
  return (
    <>
      <DialogButton opens="edit" label="Edit" isMain />
      {hasSecret && <DialogButton opens="rotate" label="Rotate secret" />}
      <DialogButton opens="delete" label="Delete client" />
    </>
  );
}

function ClientFacts({ client }: { readonly client: OAuthClient }) {
  const { redirect_uris: uris, previous_secret_until: until } = client;
  return (
    <Facts
      items={[
        { label: 'Grant types', value: toGrantWords(client.grant_types) },
        { label: 'Authentication', value: toMethodWords(client) },
        { label: 'Secret', value: client.secret_hint && <code>{client.secret_hint}</code> },
        { label: 'Old secret works until', value: until && <TimeValue value={until} format="full" /> },
        // Text, not a link: anyone who may create a client chooses the address.
        { label: 'Home page', value: client.uri },
        { label: 'Redirect URIs', value: uris.length > 0 && uris.map((uri) => <div key={uri}>{uri}</div>) },
        { label: 'Public keys', value: client.jwks && toKeyWords(client.jwks.keys) },
        { label: 'Last used', value: <TimeValue value={client.last_used_at} absent="Never" /> },
        { label: 'Created', value: <TimeValue value={client.created_at} format="full" /> },
        { label: 'Created by', value: <IdLink id={client.created_by} /> },
        { label: 'Updated', value: <TimeValue value={client.updated_at} format="full" /> },
      ].filter(({ value }) => value !== false)}
    />
  );
}

function toKeyWords(keys: NonNullable<OAuthClient['jwks']>['keys']): string {
  return keys.map(({ kty, kid, alg }) => [kid, alg ?? kty].filter(Boolean).join(' · ')).join(', ');
}

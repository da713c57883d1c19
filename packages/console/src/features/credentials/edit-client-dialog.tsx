import { Modal, Text } from '@mantine/core';
import type { OAuthClient, OAuthClientChange } from '@tps/client';
import { Form, useAct, useDialog, useDraft } from '../../kit/index.ts';
import { ClientFields, type ClientFieldsValue, parseKeys } from './client-fields.tsx';
import { toLines } from './client-kinds.ts';

export function EditClientDialog({ client }: { readonly client: OAuthClient }) {
  const { isOpen, close } = useDialog('edit');
  return (
    <Modal opened={isOpen} onClose={close} size="lg" title="Edit OAuth client">
      <EditClientForm client={client} onDone={close} />
    </Modal>
  );
}

function EditClientForm({ client, onDone }: { readonly client: OAuthClient; readonly onDone: () => void }) {
  const draft = useDraft<ClientFieldsValue>(`oauth-client:${client.client_id}`, {
    name: client.name,
    uri: client.uri ?? '',
    redirectUris: client.redirect_uris.join('\n'),
    scopes: client.scopes,
    jwks: client.jwks === null ? '' : JSON.stringify(client.jwks, null, 2),
  });
  const { value, setValue } = draft;
  const update = useAct<ClientFieldsValue, OAuthClient>({
    run: async (api, input) => api.oauthClients.update(client.client_id, toChange(client, input)),
    changes: [['oauth-clients']],
    done: 'OAuth client changed',
    draft,
    onDone,
  });
  const lost = client.scopes.filter((scope) => !value.scopes.includes(scope));
  return (
    <Form
      act="Save"
      isReady={value.name.trim() !== '' && value.scopes.length > 0}
      change={update}
      onSubmit={() => update.mutate(value)}
      onCancel={onDone}
    >
      <ClientFields
        value={value}
        onChange={(change) => setValue({ ...value, ...change })}
        hasRedirects={client.grant_types.includes('authorization_code')}
        hasKeys={client.jwks !== null}
      />
      {lost.length > 0 && (
        <Text size="sm">
          Without {lost.join(', ')}, the present tokens and grants of this client end, and people are asked
          again. Without a scope, what was set up with the client ends too.
        </Text>
      )}
    </Form>
  );
}

function toChange(client: OAuthClient, value: ClientFieldsValue): OAuthClientChange {
  const hasRedirects = client.grant_types.includes('authorization_code');
  const uri = value.uri.trim();
  return {
    name: value.name.trim(),
    scopes: value.scopes as NonNullable<OAuthClientChange['scopes']>,
    ...(hasRedirects && { redirect_uris: toLines(value.redirectUris), uri: uri === '' ? null : uri }),
    ...(client.jwks !== null && { jwks: parseKeys<NonNullable<OAuthClientChange['jwks']>>(value.jwks) }),
  };
}

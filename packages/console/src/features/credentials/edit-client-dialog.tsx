import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { OAuthClient, OAuthClientChange } from '@tps/client';
import type { FormEvent } from 'react';
import { ErrorState, useAct, useDialog, useDraft } from '../../kit/index.ts';
import { ClientFields, type ClientFieldsValue, parseKeys } from './client-fields.tsx';
import { toLines } from './client-kinds.ts';

export function EditClientDialog({ client }: { readonly client: OAuthClient }) {
  const { isOpen, close } = useDialog('edit');
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      size="lg"
      title="Edit OAuth client"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
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
    onDone: () => {
      draft.clear();
      onDone();
    },
    showsError: true,
  });
  const lost = client.scopes.filter((scope) => !value.scopes.includes(scope));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate(value);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <ClientFields
          value={value}
          onChange={(change) => setValue({ ...value, ...change })}
          hasRedirects={client.grant_types.includes('authorization_code')}
          hasKeys={client.jwks !== null}
        />
        {lost.length > 0 && (
          <Text size="sm">
            Without {lost.join(', ')}, the present tokens and grants of this client end, and people are asked
            again.
          </Text>
        )}
        {update.error && <ErrorState error={update.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button
            type="submit"
            disabled={value.name.trim() === '' || value.scopes.length === 0}
            loading={update.isPending}
          >
            Save
          </Button>
        </Group>
      </Stack>
    </form>
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

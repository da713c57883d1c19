import { Radio, Stack, Switch } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { CreatedOAuthClient, NewOAuthClient } from '@tps/client';
import { useState } from 'react';
import { CreateDialog, Form, useAct, useDialog, useDraft } from '../../kit/index.ts';
import { ClientFields, type ClientFieldsValue, parseKeys } from './client-fields.tsx';
import { CLIENT_KINDS, toLines } from './client-kinds.ts';
import { CreatedClient } from './created-client.tsx';

interface Draft extends ClientFieldsValue {
  readonly kind: string;
  readonly usesKey: boolean;
}

const EMPTY: Draft = {
  kind: 'service',
  usesKey: false,
  name: '',
  uri: '',
  redirectUris: '',
  scopes: ['status:read', 'events:read'],
  jwks: '',
};

/** Registers a program, and shows its secret once. */
export function NewClientDialog() {
  const { isOpen, close } = useDialog('new');
  const navigate = useNavigate();
  const [created, setCreated] = useState<CreatedOAuthClient>();
  const finish = () => {
    setCreated(undefined);
    if (created) navigate({ to: `/oauth-clients/${created.client_id}` });
  };
  return (
    <CreateDialog
      isOpen={isOpen}
      onClose={close}
      title="New OAuth client"
      created={created && <CreatedClient created={created} onStored={finish} />}
      createdTitle="OAuth client created"
    >
      <NewClientForm onCreated={setCreated} onCancel={close} />
    </CreateDialog>
  );
}

function NewClientForm({
  onCreated,
  onCancel,
}: {
  readonly onCreated: (created: CreatedOAuthClient) => void;
  readonly onCancel: () => void;
}) {
  const draft = useDraft<Draft>('new-oauth-client', EMPTY);
  const { value, setValue } = draft;
  const set = (change: Partial<Draft>) => setValue({ ...value, ...change });
  const kind = CLIENT_KINDS.find((one) => one.value === value.kind) ?? CLIENT_KINDS[0];
  const create = useAct<Draft, CreatedOAuthClient>({
    run: async (client, input, attempt) => client.oauthClients.create(toNewClient(input), attempt),
    changes: [['oauth-clients']],
    draft,
    onDone: onCreated,
  });
  const isComplete =
    value.name.trim() !== '' &&
    value.scopes.length > 0 &&
    (!kind?.hasRedirects || value.redirectUris.trim() !== '');
  return (
    <Form
      act="Create client"
      isReady={isComplete}
      change={create}
      onSubmit={() => create.mutate(value)}
      onCancel={onCancel}
    >
      <Radio.Group label="What is it?" value={value.kind} onChange={(next) => set({ kind: next })}>
        <Stack gap="xs" mt="xs">
          {CLIENT_KINDS.map((one) => (
            <Radio
              key={one.value}
              size="xs"
              value={one.value}
              label={one.label}
              description={one.description}
            />
          ))}
        </Stack>
      </Radio.Group>
      {kind?.hasSecret && (
        <Switch
          size="xs"
          label="It signs with its own key instead of a secret"
          checked={value.usesKey}
          onChange={(event) => set({ usesKey: event.currentTarget.checked })}
        />
      )}
      <ClientFields
        value={value}
        onChange={set}
        hasRedirects={kind?.hasRedirects ?? false}
        hasKeys={(kind?.hasSecret ?? false) && value.usesKey}
      />
    </Form>
  );
}

function toNewClient({ kind: name, usesKey, ...value }: Draft): NewOAuthClient {
  const kind = CLIENT_KINDS.find((one) => one.value === name);
  const { grantTypes = [], hasSecret = true, hasRedirects = false } = kind ?? {};
  const usesOwnKey = hasSecret && usesKey;
  const secretMethod = usesOwnKey ? 'private_key_jwt' : 'client_secret_basic';
  return {
    name: value.name.trim(),
    grant_types: [...grantTypes],
    scopes: value.scopes as NewOAuthClient['scopes'],
    token_endpoint_auth_method: hasSecret ? secretMethod : 'none',
    ...(hasRedirects && { redirect_uris: toLines(value.redirectUris) }),
    ...(hasRedirects && value.uri.trim() !== '' && { uri: value.uri.trim() }),
    ...(usesOwnKey && { jwks: parseKeys<NonNullable<NewOAuthClient['jwks']>>(value.jwks) }),
  };
}

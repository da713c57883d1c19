import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { CreatedToken, NewToken } from '@tps/client';
import { useState } from 'react';
import { CreateDialog, Form, SecretOnce, Snippet, useAct, useDialog, useDraft } from '../../kit/index.ts';
import { API_URL } from '../../session/index.ts';
import { EXPIRY_CHOICES, toExpiresAt } from './expiry.ts';
import { ScopePicker } from './scope-picker.tsx';
import { SCOPE_PRESETS } from './scope-presets.ts';

const EMPTY = { name: '', scopes: [...(SCOPE_PRESETS[0]?.scopes ?? [])] as string[], expiry: '90', date: '' };

/** Creates a key, and shows it once. */
export function NewKeyDialog() {
  const { isOpen, close } = useDialog('new');
  const navigate = useNavigate();
  const [created, setCreated] = useState<CreatedToken>();
  const finish = () => {
    setCreated(undefined);
    if (created) navigate({ to: `/keys/${created.token_id}` });
  };
  return (
    <CreateDialog
      isOpen={isOpen}
      onClose={close}
      title="New key"
      created={created && <CreatedKey created={created} onStored={finish} />}
      createdTitle="Key created"
    >
      <NewKeyForm onCreated={setCreated} />
    </CreateDialog>
  );
}

function NewKeyForm({ onCreated }: { readonly onCreated: (created: CreatedToken) => void }) {
  const { close } = useDialog('new');
  const draft = useDraft('new-key', EMPTY);
  const { value, setValue } = draft;
  const set = (change: Partial<typeof EMPTY>) => setValue({ ...value, ...change });
  const create = useAct<typeof EMPTY, CreatedToken>({
    run: (client, wanted, attempt) => client.tokens.create(toNewToken(wanted, attempt.startedAtMs), attempt),
    changes: [['keys']],
    draft,
    onDone: onCreated,
  });
  const isComplete =
    value.name.trim() !== '' && value.scopes.length > 0 && (value.expiry !== 'date' || value.date !== '');
  return (
    <Form
      act="Create key"
      isReady={isComplete}
      change={create}
      onSubmit={() => create.mutate(value)}
      onCancel={close}
    >
      <TextInput
        data-autofocus
        label="Name"
        description="Name the program that uses the key, so that you find the key when it must be replaced."
        maxLength={100}
        autoComplete="off"
        value={value.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <ScopePicker value={value.scopes} onChange={(scopes) => set({ scopes })} />
      <Group align="flex-end" grow>
        <Select
          label="Expires"
          allowDeselect={false}
          data={[...EXPIRY_CHOICES]}
          value={value.expiry}
          onChange={(expiry) => set({ expiry: expiry ?? '90' })}
        />
        {value.expiry === 'date' && (
          <TextInput
            type="date"
            label="Last day"
            value={value.date}
            onChange={(event) => set({ date: event.currentTarget.value })}
          />
        )}
      </Group>
    </Form>
  );
}

function toNewToken(value: typeof EMPTY, nowMs: number): NewToken {
  const expiresAt = toExpiresAt(value, nowMs);
  return {
    name: value.name.trim(),
    scopes: value.scopes as NewToken['scopes'],
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  };
}

/** A key that was just made. If the answer was lost, the service does not repeat it. */
export function CreatedKey({
  created,
  onStored,
}: {
  readonly created: CreatedToken;
  readonly onStored: () => void;
}) {
  if (created.token === undefined) {
    return (
      <Stack align="flex-start">
        The key was created, but the response was lost, and it cannot be shown again. Revoke it and create
        another.
        <Button onClick={onStored}>Open the key</Button>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <SecretOnce name={`Key ${created.name}`} secret={created.token} onStored={onStored} />
      <Snippet
        label="A first request with the key"
        code={`export TPS_CREDENTIAL=…   # paste the key\ncurl -H @- ${API_URL}/status <<< "Authorization: Bearer $TPS_CREDENTIAL"`}
      />
    </Stack>
  );
}

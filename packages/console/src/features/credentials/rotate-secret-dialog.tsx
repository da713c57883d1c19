import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import type { CreatedOAuthClient, OAuthClient } from '@tps/client';
import { useState } from 'react';
import { ErrorState, useAct, useDialog, useDraft } from '../../kit/index.ts';
import { CreatedClient } from './created-client.tsx';

const OVERLAPS = [
  { value: '86400', label: '1 day' },
  { value: '3600', label: '1 hour' },
  { value: '604800', label: '7 days' },
  { value: '0', label: 'Not at all: it ends now' },
];

/** Replaces the secret of a client. Both work until the old one ends. */
export function RotateSecretDialog({ client }: { readonly client: OAuthClient }) {
  const { isOpen, close } = useDialog('rotate');
  const draft = useDraft(`rotate:${client.client_id}`, '86400');
  const [created, setCreated] = useState<CreatedOAuthClient>();
  const rotate = useAct<number, CreatedOAuthClient>({
    run: async (api, overlap, { isRepeat }) => {
      if (isRepeat) {
        // An earlier try has rotated it. Another rotation would end the secret that the program has.
        const now = await api.oauthClients.get(client.client_id);
        if (now.secret_hint !== client.secret_hint) return now;
      }
      return api.oauthClients.rotateSecret(client.client_id, { overlap_s: overlap });
    },
    changes: [['oauth-clients']],
    onDone: (next) => {
      draft.clear();
      setCreated(next);
    },
    showsError: true,
  });
  const finish = () => {
    setCreated(undefined);
    close();
  };
  if (created) {
    return (
      <Modal opened onClose={() => {}} withCloseButton={false} size="lg" title="The new secret">
        <CreatedClient created={created} onStored={finish} />
      </Modal>
    );
  }
  return (
    <Modal opened={isOpen} onClose={close} title="Rotate secret" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        <Text size="sm">
          Give the program the new secret before the old one ends. Its access tokens stay valid.
        </Text>
        <Select
          data-autofocus
          label="The old secret keeps working for"
          allowDeselect={false}
          data={OVERLAPS}
          value={draft.value}
          onChange={(overlap) => draft.setValue(overlap ?? '86400')}
        />
        {rotate.error && <ErrorState error={rotate.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button loading={rotate.isPending} onClick={() => rotate.mutate(Number(draft.value))}>
            Create the new secret
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

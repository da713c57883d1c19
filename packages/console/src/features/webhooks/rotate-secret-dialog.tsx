import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import type { Webhook } from '@tps/client';
import { useState } from 'react';
import { ErrorState, useAct, useDialog, useDraft } from '../../kit/index.ts';
import { newSecret } from './new-secret.ts';
import { CreatedSecret } from './new-webhook-dialog.tsx';

const OVERLAPS = [
  { value: '86400', label: '1 day' },
  { value: '3600', label: '1 hour' },
  { value: '604800', label: '7 days' },
  { value: '0', label: 'Not at all: it ends now' },
];

/** Replaces the signing secret, and shows the new one once. */
export function RotateSecretDialog({ webhook }: { readonly webhook: Webhook }) {
  const { isOpen, close } = useDialog('rotate');
  const draft = useDraft(`rotate:${webhook.webhook_id}`, '86400');
  const [secret, setSecret] = useState<string>();
  const rotate = useAct<number, string>({
    run: async (client, overlap) => {
      const made = newSecret();
      await client.webhooks.rotateSecret(webhook.webhook_id, { secret: made, overlap_s: overlap });
      return made;
    },
    changes: [['webhooks']],
    onDone: (made) => {
      draft.clear();
      setSecret(made);
    },
    showsError: true,
  });
  if (secret !== undefined) {
    const finish = () => {
      setSecret(undefined);
      close();
    };
    return (
      <Modal opened onClose={() => {}} withCloseButton={false} size="lg" title="The new signing secret">
        <CreatedSecret secret={secret} onStored={finish} />
      </Modal>
    );
  }
  return (
    <Modal opened={isOpen} onClose={close} title="Rotate secret" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        <Text size="sm">
          Deliveries are signed with both secrets until the old one ends. Give the receiver the new secret
          before then.
        </Text>
        <Select
          data-autofocus
          label="The old secret also signs for"
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

import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { InvalidRequestError, type Webhook } from '@tps/client';
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
  // The same in each try, so that a repeat does not end the secret that the receiver has.
  const [secret, setSecret] = useState(newSecret);
  const [isDone, setDone] = useState(false);
  const rotate = useAct<number>({
    run: async (client, overlap, { isRepeat }) => {
      try {
        await client.webhooks.rotateSecret(webhook.webhook_id, { secret, overlap_s: overlap });
      } catch (error) {
        // It is the current one: an earlier try, whose answer was lost, has set it.
        if (!(isRepeat && error instanceof InvalidRequestError)) throw error;
      }
    },
    changes: [['webhooks']],
    onDone: () => {
      draft.clear();
      setDone(true);
    },
    showsError: true,
  });
  if (isDone) {
    const finish = () => {
      setDone(false);
      setSecret(newSecret());
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

import { InvalidRequestError, type Webhook } from '@tps/client';
import { useState } from 'react';
import { newSecret, OverlapDialog, useAct, useDialog } from '../../kit/index.ts';
import { CreatedSecret } from './new-webhook-dialog.tsx';

/** Replaces the signing secret, and shows the new one once. */
export function RotateSecretDialog({ webhook }: { readonly webhook: Webhook }) {
  const { isOpen, close } = useDialog('rotate');
  // The same in each try, so that a repeat does not end the secret that the receiver has.
  const [secret, setSecret] = useState(newSecret);
  const [isDone, setDone] = useState(false);
  const rotate = useAct<number>({
    run: async (client, overlap, { isRepeat }) => {
      try {
        await client.webhooks.rotateSecret(webhook.webhook_id, { secret, overlap_s: overlap });
      } catch (error) {
        // It is the current one: an earlier try, whose answer was lost, has set it.
        if (!(isRepeat && error instanceof InvalidRequestError && error.code === 'invalid_field'))
          throw error;
      }
    },
    changes: [['webhooks']],
    onDone: () => setDone(true),
    showsError: true,
  });
  const finish = () => {
    setDone(false);
    setSecret(newSecret());
    close();
  };
  return (
    <OverlapDialog
      draftKey={`rotate:${webhook.webhook_id}`}
      title="Rotate secret"
      text="Deliveries are signed with both secrets until the old one ends. Give the receiver the new secret before then."
      label="The old secret also signs for"
      act="Create the new secret"
      created={isDone ? <CreatedSecret secret={secret} onStored={finish} /> : undefined}
      createdTitle="The new signing secret"
      isOpen={isOpen}
      onClose={close}
      replace={rotate}
    />
  );
}

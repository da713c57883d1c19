import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Client, CreatedToken, Token } from '@tps/client';
import { useState } from 'react';
import { ErrorState, useAct, useDialog, useDraft } from '../../kit/index.ts';
import { CreatedKey } from './new-key-dialog.tsx';

const GRACES = [
  { value: '86400', label: '1 day' },
  { value: '3600', label: '1 hour' },
  { value: '604800', label: '7 days' },
  { value: '0', label: 'No time: it ends now' },
];

/** Returns the key that an earlier try, whose answer was lost, has made. It has no secret any more. */
async function findSuccessor(client: Client, { token_id: id, expires_at: end }: Token) {
  if ((await client.tokens.get(id)).expires_at === end) return undefined;
  const { data } = await client.tokens.auditOf(id, { action: 'token.roll', limit: 1 }).page();
  const successor = data[0]?.fields?.successor;
  return typeof successor === 'string' ? client.tokens.get(successor) : undefined;
}

/** Replaces a key. Programs can use either key until the old one ends. */
export function RollKeyDialog({ token }: { readonly token: Token }) {
  const { isOpen, close } = useDialog('roll');
  const navigate = useNavigate();
  const draft = useDraft(`roll:${token.token_id}`, '86400');
  const [created, setCreated] = useState<CreatedToken>();
  const roll = useAct<number, CreatedToken>({
    run: async (client, grace, { isRepeat }) =>
      (isRepeat && (await findSuccessor(client, token))) ||
      client.tokens.roll(token.token_id, { grace_s: grace }),
    changes: [['keys']],
    onDone: (next) => {
      draft.clear();
      setCreated(next);
    },
    showsError: true,
  });
  if (created) {
    const finish = () => navigate({ to: `/keys/${created.token_id}` });
    return (
      <Modal opened onClose={() => {}} withCloseButton={false} size="lg" title="The key that replaces it">
        <CreatedKey created={created} onStored={finish} />
      </Modal>
    );
  }
  return (
    <Modal opened={isOpen} onClose={close} title="Roll key" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        <Text size="sm">
          The new key has the name, the scopes and the expiry of <strong>{token.name}</strong>. Give it to the
          program before the old key ends.
        </Text>
        <Select
          data-autofocus
          label="The old key keeps working for"
          allowDeselect={false}
          data={GRACES}
          value={draft.value}
          onChange={(grace) => draft.setValue(grace ?? '86400')}
        />
        {roll.error && <ErrorState error={roll.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button loading={roll.isPending} onClick={() => roll.mutate(Number(draft.value))}>
            Create the new key
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

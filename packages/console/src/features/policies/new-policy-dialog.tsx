import { Button, Group, Modal, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ConflictError, type NewPolicy, type Policy } from '@tps/client';
import type { FormEvent } from 'react';
import { ErrorState, useAct, useDialog, useDraft } from '../../kit/index.ts';
import { PolicyFields } from './policy-fields.tsx';
import { isComplete, isDeciding, NEW_RULE, toNewPolicy } from './policy-rule.ts';
import { Simulation } from './simulation.tsx';

/** Creates a policy. Shows what it would have done before it is saved. */
export function NewPolicyDialog() {
  const { isOpen, close } = useDialog('new');
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      size="xl"
      title="New policy"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <NewPolicyForm onClose={close} />
    </Modal>
  );
}

function NewPolicyForm({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const draft = useDraft('new-policy', NEW_RULE);
  const rule = draft.value;
  const create = useAct<NewPolicy, Policy>({
    run: async (client, policy, { idempotencyKey, isRepeat }) => {
      const id = `pol_${idempotencyKey}`;
      try {
        return await client.policies.create({ policy_id: id, ...policy });
      } catch (error) {
        // An earlier try, whose answer was lost, has created it.
        if (isRepeat && error instanceof ConflictError) return client.policies.get(id);
        throw error;
      }
    },
    changes: [['policies']],
    done: 'Policy created',
    onDone: ({ policy_id }) => {
      draft.clear();
      navigate({ to: `/policies/${encodeURIComponent(policy_id)}` });
    },
    showsError: true,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete(rule)) create.mutate(toNewPolicy(rule));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <PolicyFields value={rule} onChange={draft.setValue} />
        <Simulation simulation={isDeciding(rule) ? { policy: toNewPolicy(rule) } : undefined} isChanged />
        {create.error && <ErrorState error={create.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isComplete(rule)} loading={create.isPending}>
            Create policy
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

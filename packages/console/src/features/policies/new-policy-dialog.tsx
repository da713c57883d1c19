import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ConflictError, type NewPolicy, type Policy } from '@tps/client';
import { Form, useAct, useDialog, useDraft } from '../../kit/index.ts';
import { PolicyFields } from './policy-fields.tsx';
import { isComplete, isDeciding, NEW_RULE, toNewPolicy } from './policy-rule.ts';
import { Simulation } from './simulation.tsx';

/** Creates a policy. Shows what it would have done before it is saved. */
export function NewPolicyDialog() {
  const { isOpen, close } = useDialog('new');
  return (
    <Modal opened={isOpen} onClose={close} size="xl" title="New policy">
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
    draft,
    onDone: ({ policy_id }) => navigate({ to: `/policies/${encodeURIComponent(policy_id)}` }),
  });
  return (
    <Form
      act="Create policy"
      isReady={isComplete(rule)}
      change={create}
      onSubmit={() => create.mutate(toNewPolicy(rule))}
      onCancel={onClose}
    >
      <PolicyFields value={rule} onChange={draft.setValue} />
      <Simulation simulation={isDeciding(rule) ? { policy: toNewPolicy(rule) } : undefined} isChanged />
    </Form>
  );
}

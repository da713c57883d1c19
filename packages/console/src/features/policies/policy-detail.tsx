import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Policy, PolicyChange } from '@tps/client';
import type { FormEvent } from 'react';
import {
  ConfirmDialog,
  DetailLayout,
  DialogButton,
  detailPage,
  ErrorState,
  Facts,
  History,
  QueryState,
  Section,
  StatusBadge,
  TimeValue,
  toWords,
  useAct,
  useDraft,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import { PolicyFields } from './policy-fields.tsx';
import { isComplete, isDeciding, toPolicyChange, toRule } from './policy-rule.ts';
import { Simulation } from './simulation.tsx';

/** One policy: as a page, and beside the list. */
export function PolicyDetail({ id }: { readonly id: string }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['policies', 'one', id],
    queryFn: ({ signal }) => client.policies.get(id, { signal }),
  });
  return (
    <QueryState query={query}>
      {(policy) => <PolicyArticle key={policy.policy_id} policy={policy} />}
    </QueryState>
  );
}

export const PolicyPage = detailPage(PolicyDetail);

function PolicyArticle({ policy }: { readonly policy: Policy }) {
  const can = useCan();
  const isArchived = policy.archived_at !== null;
  const mayChange = can('devices:write') && !isArchived;
  const state = isArchived ? 'archived' : policy.enabled ? 'enabled' : 'disabled';
  return (
    <DetailLayout
      id={policy.policy_id}
      title={policy.name}
      marks={
        <>
          <StatusBadge value={state} tone={isArchived ? 'ended' : policy.enabled ? 'good' : 'paused'} />
          <StatusBadge value={policy.action} />
        </>
      }
      actions={mayChange && <DialogButton opens="archive" label="Archive policy" />}
    >
      {mayChange ? <PolicyForm policy={policy} /> : <PolicyFacts policy={policy} />}
      <Section title="Details">
        <Facts
          items={[
            { label: 'Version', value: policy.version },
            { label: 'Created', value: <TimeValue value={policy.created_at} format="full" /> },
            { label: 'Updated', value: <TimeValue value={policy.updated_at} format="full" /> },
            {
              label: 'Archived',
              value: isArchived ? <TimeValue value={policy.archived_at} format="full" /> : null,
            },
          ]}
        />
      </Section>
      <History id={policy.policy_id} />
      {mayChange && <ArchiveDialog policy={policy} />}
    </DetailLayout>
  );
}

/** Edits a policy. The simulation follows what is typed, before it is saved. */
function PolicyForm({ policy }: { readonly policy: Policy }) {
  const { policy_id: id, version } = policy;
  // A draft belongs to one version: the form of a policy that was changed elsewhere begins again.
  const draft = useDraft(`policy:${id}:${version}`, toRule(policy));
  const rule = draft.value;
  const change = toPolicyChange(policy, rule);
  const save = useAct<PolicyChange, Policy>({
    run: (client, wanted) => client.policies.update(id, wanted),
    changes: [['policies']],
    done: 'Policy saved',
    draft,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change && isComplete(rule)) save.mutate(change);
  };
  // Without a change, the simulation of the name shows what the policies decide.
  const simulated = { policy_id: id, change: { name: policy.name, ...change } };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Section title="Rule">
          <Stack gap="md" maw={640}>
            <PolicyFields value={rule} onChange={draft.setValue} />
            {save.error && <ErrorState error={save.error} />}
            <Group gap="xs">
              <Button
                type="submit"
                disabled={change === undefined || !isComplete(rule)}
                loading={save.isPending}
              >
                Save policy
              </Button>
              <Button variant="default" disabled={change === undefined} onClick={draft.clear}>
                Discard changes
              </Button>
            </Group>
          </Stack>
        </Section>
        <Simulation simulation={isDeciding(rule) ? simulated : undefined} isChanged={change !== undefined} />
      </Stack>
    </form>
  );
}

function PolicyFacts({ policy }: { readonly policy: Policy }) {
  return (
    <>
      <Section title="Rule">
        <Facts
          items={[
            { label: 'Applies to', value: policy.threat_categories.map(toWords).join(', ') },
            { label: 'Action of the device', value: <StatusBadge value={policy.action} /> },
            { label: 'From confidence', value: policy.confidence_threshold ?? 'any' },
          ]}
        />
      </Section>
      {policy.archived_at === null && (
        <Simulation
          simulation={{ policy_id: policy.policy_id, change: { name: policy.name } }}
          isChanged={false}
        />
      )}
    </>
  );
}

function ArchiveDialog({ policy }: { readonly policy: Policy }) {
  return (
    <ConfirmDialog
      dialog="archive"
      title="Archive policy"
      name={policy.name}
      act="Archive policy"
      run={(client) => client.policies.archive(policy.policy_id)}
      changes={[['policies']]}
      done="Policy archived"
    >
      Devices stop deciding by it as soon as they fetch the policies. Events keep its ID. This cannot be
      undone.
      <Text size="sm" mt="xs">
        To stop it for a while, disable it instead.
      </Text>
    </ConfirmDialog>
  );
}

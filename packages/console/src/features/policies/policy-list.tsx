import type { Policy } from '@tps/client';
import {
  column,
  DialogButton,
  EmptyState,
  type ListDefinition,
  ListPage,
  StatusBadge,
  toWords,
} from '../../kit/index.ts';
import { useCan } from '../../session/index.ts';
import { NewPolicyDialog } from './new-policy-dialog.tsx';
import { PolicyDetail } from './policy-detail.tsx';

const stateOf = ({ enabled }: Policy) => (enabled ? 'enabled' : 'disabled');

const POLICIES: ListDefinition<Policy> = {
  noun: { one: 'policy', many: 'policies' },
  queryKey: 'policies',
  read: (client, _query, page) => client.policies.list(page).page(),
  idOf: ({ policy_id }) => policy_id,
  titleOf: ({ name }) => name,
  columns: [
    column.text({ id: 'name', header: 'Name', width: 220, grows: true, onCard: 'title' }),
    column.status({ id: 'action', header: 'Action', width: 88, onCard: 'mark' }),
    {
      id: 'threshold',
      header: 'From confidence',
      value: (one) => (one.confidence_threshold === undefined ? 'any' : String(one.confidence_threshold)),
      width: 144,
      align: 'end',
    },
    {
      id: 'categories',
      header: 'Applies to',
      value: (one) => one.threat_categories.map(toWords).join(', '),
      width: 240,
      onCard: 'line',
    },
    {
      id: 'state',
      header: 'State',
      value: stateOf,
      cell: (one) => <StatusBadge value={stateOf(one)} tone={one.enabled ? 'good' : 'paused'} />,
      width: 104,
      onCard: 'line',
    },
    column.time({ id: 'updated_at', header: 'Updated', width: 132 }),
    column.count({ id: 'version', header: 'Version', width: 76, hiddenByDefault: true }),
    column.id({ id: 'id', from: 'policy_id', header: 'ID', width: 260, hiddenByDefault: true }),
  ],
  filters: [],
  detail: (id) => <PolicyDetail key={id} id={id} />,
  empty: (
    <EmptyState title="No policies yet">
      Without policies, devices warn of threats from a confidence of 0.5 and block them from 0.85. Create a
      policy to decide otherwise for a category.
    </EmptyState>
  ),
};

export function PoliciesPage() {
  const can = useCan();
  return (
    <>
      <ListPage
        definition={POLICIES}
        title="Policies"
        description="How devices respond to threats. Where several policies apply, the strictest action wins."
        actions={can('devices:write') && <DialogButton opens="new" label="New policy" isMain />}
      />
      {can('devices:write') && <NewPolicyDialog />}
    </>
  );
}

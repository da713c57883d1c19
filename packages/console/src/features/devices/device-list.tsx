import type { Device } from '@tps/client';
import { PLATFORMS } from '@tps/contract/vocabulary';
import {
  choicesOf,
  column,
  DialogButton,
  EmptyState,
  type ListDefinition,
  ListPage,
} from '../../kit/index.ts';
import { useCan } from '../../session/index.ts';
import { DeviceDetail } from './device-detail.tsx';
import { EnrolDialog } from './enrol-dialog.tsx';
import { platformName } from './platform-name.ts';

const DEVICES: ListDefinition<Device> = {
  noun: { one: 'device', many: 'devices' },
  queryKey: 'devices',
  read: (client, query, page) => client.devices.list({ ...query, ...page }).page(),
  idOf: ({ device_id }) => device_id,
  titleOf: ({ name, device_id }) => name ?? device_id,
  columns: [
    {
      id: 'name',
      header: 'Name',
      value: (device) => device.name ?? '',
      cell: (device) => <bdi>{device.name ?? 'Without a name'}</bdi>,
      width: 200,
      grows: true,
      onCard: 'title',
    },
    column.status({ id: 'status', header: 'Status', filter: 'status', width: 104, onCard: 'mark' }),
    {
      id: 'platform',
      header: 'Platform',
      value: (device) => device.platform,
      cell: (device) => platformName(device.platform),
      filter: 'platform',
      width: 104,
      onCard: 'line',
    },
    column.time({ id: 'last_seen', header: 'Last seen', absent: 'Never', width: 128, onCard: 'line' }),
    column.text({ id: 'agent_version', header: 'Agent', width: 112, onCard: 'line' }),
    column.time({ id: 'registered_at', header: 'Registered', width: 184 }),
    column.id({ id: 'device_id', header: 'ID', width: 208 }),
  ],
  filters: [
    { name: 'status', label: 'Status', kind: 'any-of', choices: choicesOf(['active', 'revoked']) },
    {
      name: 'platform',
      label: 'Platform',
      kind: 'any-of',
      choices: PLATFORMS.map((value) => ({ value, label: platformName(value) })),
    },
  ],
  detail: (id) => <DeviceDetail id={id} />,
  empty: (
    <EmptyState title="No devices yet">
      A device registers with an enrolment secret and then signs its events with its own key. Create a secret
      and run one command on the device.
      <EnrolButton />
    </EmptyState>
  ),
};

/** The devices of the tenant. */
export function DevicesPage() {
  const can = useCan();
  return (
    <>
      <ListPage
        definition={DEVICES}
        title="Devices"
        description="Phones and computers whose agents sign their events."
        actions={<EnrolButton />}
      />
      {can('devices:write') && <EnrolDialog />}
    </>
  );
}

function EnrolButton() {
  const can = useCan();
  if (!can('devices:write')) return null;
  return <DialogButton opens="enrol" label="Enrol devices" isMain />;
}

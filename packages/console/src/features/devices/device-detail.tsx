import { useQuery } from '@tanstack/react-query';
import type { Device } from '@tps/client';
import {
  DetailLayout,
  detailPage,
  Facts,
  History,
  QueryState,
  Section,
  StatusBadge,
  TimeValue,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import { DeviceHealthSections, HealthMarks } from './device-health-sections.tsx';
import { platformName } from './platform-name.ts';
import { RenameDevice } from './rename-device.tsx';
import { RevokeDeviceButton } from './revoke-device.tsx';

/** One device: how it is doing, its key and chain, and what was done to it. */
export function DeviceDetail({ id }: { readonly id: string }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['devices', 'one', id],
    queryFn: ({ signal }) => client.devices.get(id, { signal }),
  });
  return <QueryState query={query}>{(device) => <Detail device={device} />}</QueryState>;
}

export const DevicePage = detailPage(DeviceDetail);

/** How often the health is read while it is on the screen. */
const HEALTH_MS = 15_000;

function Detail({ device }: { readonly device: Device }) {
  const can = useCan();
  const client = useClient();
  const { device_id: id } = device;
  const health = useQuery({
    queryKey: ['devices', 'health', id],
    queryFn: ({ signal }) => client.devices.health(id, { signal }),
    refetchInterval: HEALTH_MS,
  });
  const mayChange = can('devices:write') && device.status === 'active';
  return (
    <DetailLayout
      id={id}
      title={device.name ?? id}
      marks={
        <>
          <StatusBadge value={device.status} />
          <span>{platformName(device.platform)}</span>
          {health.data && <HealthMarks health={health.data} />}
        </>
      }
      actions={
        mayChange && (
          <>
            <RenameDevice key={id} device={device} />
            <RevokeDeviceButton device={device} />
          </>
        )
      }
    >
      <QueryState query={health}>{(read) => <DeviceHealthSections health={read} />}</QueryState>
      <Section title="Details">
        <Facts
          items={[
            { label: 'Agent', value: device.agent_version },
            { label: 'Registered', value: <TimeValue value={device.registered_at} format="full" /> },
            {
              label: 'Revoked',
              value: device.revoked_at && <TimeValue value={device.revoked_at} format="full" />,
            },
          ]}
        />
      </Section>
      <History id={id} />
    </DetailLayout>
  );
}

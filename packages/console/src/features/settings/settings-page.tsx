import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Setting, TenantSettings } from '@tps/client';
import {
  Actor,
  CopyButton,
  Facts,
  IdLink,
  PageLayout,
  QueryState,
  Section,
  TimeValue,
  toDateTime,
  useAct,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import { DangerZone } from './danger-zone.tsx';
import { groupSettings, nameText, valueText } from './setting-words.ts';
import classes from './settings-page.module.css';

export function SettingsPage() {
  const client = useClient();
  const query = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => client.settings.get({ signal }),
  });
  return (
    <PageLayout
      title="Settings"
      description="The settings in effect for this tenant. The operator of the service changes them with the command or variable shown."
    >
      <QueryState query={query}>{(settings) => <Settings settings={settings} />}</QueryState>
    </PageLayout>
  );
}

function Settings({ settings }: { readonly settings: TenantSettings }) {
  const can = useCan();
  const { deletion } = settings;
  return (
    <>
      {deletion && <RequestedDeletion deletion={deletion} />}
      <Section title="Tenant">
        <Facts
          items={[
            { label: 'Name', value: <bdi>{settings.name}</bdi> },
            { label: 'ID', value: <Id id={settings.tenant_id} /> },
            { label: 'Environment', value: settings.environment },
            { label: 'Created', value: <TimeValue value={settings.created_at} format="full" /> },
            { label: 'Service version', value: settings.version },
          ]}
        />
      </Section>
      {groupSettings(settings.settings).map(({ title, settings: members }) => (
        <Section key={title} title={title}>
          <SettingTable settings={members} label={title} />
        </Section>
      ))}
      {can('settings:write') && !deletion && <DangerZone settings={settings} />}
    </>
  );
}

function Id({ id }: { readonly id: string }) {
  return (
    <Group gap={4}>
      <IdLink id={id} />
      <CopyButton value={id} label="Copy the ID of the tenant" />
    </Group>
  );
}

function SettingTable({
  settings,
  label,
}: {
  readonly settings: readonly Setting[];
  readonly label: string;
}) {
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
          <th scope="col">What it means</th>
          <th scope="col">Changed with</th>
        </tr>
      </thead>
      <tbody>
        {settings.map((setting) => (
          <tr key={setting.key}>
            <th scope="row">{nameText(setting)}</th>
            <td>
              {valueText(setting)}
              {setting.set_by === 'tenant' && <span className={classes.own}>this tenant</span>}
            </td>
            <td className={classes.quiet}>{setting.description}</td>
            <td>
              {setting.changed_with === null ? (
                <span className={classes.quiet}>Fixed</span>
              ) : (
                <code>{setting.changed_with}</code>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RequestedDeletion({ deletion }: { readonly deletion: NonNullable<TenantSettings['deletion']> }) {
  const can = useCan();
  const cancel = useAct({
    run: (client) => client.settings.cancelDeletion(),
    done: 'Deletion cancelled. Everything stays.',
  });
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle size={18} aria-hidden="true" />}
      title={`This tenant will be deleted on ${toDateTime(deletion.due_at)}`}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" component="div">
          Requested by <Actor {...deletion.requested_by} />. Until then everything works, and an admin can
          cancel it.
        </Text>
        {can('settings:write') && (
          <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the deletion
          </Button>
        )}
      </Group>
    </Alert>
  );
}

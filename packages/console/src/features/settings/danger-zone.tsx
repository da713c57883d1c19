import { Button, NumberInput, Text } from '@mantine/core';
import type { TenantSettings } from '@tps/client';
import { ConfirmByName, Section, useAct, useDraft } from '../../kit/index.ts';
import classes from './settings-page.module.css';

const MIN_DAYS = 7;
const MAX_DAYS = 90;
const DRAFT = { days: 30, isAsking: false };

/** The acts that end things for everyone. */
export function DangerZone({ settings }: { readonly settings: TenantSettings }) {
  // A draft: the service may demand a new sign-in, and the person comes back here.
  const draft = useDraft(`delete-tenant:${settings.tenant_id}`, DRAFT);
  const request = useAct<number>({
    run: async (client, days, { isRepeat }) => {
      // An earlier try, whose answer was lost, may have requested it.
      const { deletion = null } = isRepeat ? await client.settings.get() : {};
      return deletion ?? client.settings.requestDeletion({ name: settings.name, after_days: days });
    },
    done: 'Deletion requested. It can be cancelled here until it is due.',
    draft,
  });
  const { value, setValue } = draft;
  const { days } = value;
  return (
    <Section title="Danger zone">
      <div className={classes.zone}>
        <div>
          <Text fw={600}>Delete this tenant</Text>
          <Text size="sm" c="dimmed">
            When the time below is over, the service permanently deletes all devices, events, incidents, keys
            and members of this tenant. Until then everything works, and an admin can cancel the deletion.
          </Text>
        </div>
        <NumberInput
          label="Days until the deletion"
          description={`${MIN_DAYS} to ${MAX_DAYS}`}
          min={MIN_DAYS}
          max={MAX_DAYS}
          clampBehavior="strict"
          allowDecimal={false}
          value={days}
          onChange={(next) => setValue({ ...value, days: Number(next) })}
          w={180}
        />
        <Button
          variant="default"
          c="var(--severity-critical)"
          size="xs"
          disabled={days < MIN_DAYS || days > MAX_DAYS}
          onClick={() => setValue({ ...value, isAsking: true })}
        >
          Request deletion…
        </Button>
      </div>
      <ConfirmByName
        opened={value.isAsking}
        title="Delete this tenant"
        name={settings.name}
        act="Request deletion"
        change={request}
        onConfirm={() => request.mutate(days)}
        onClose={() => setValue({ ...value, isAsking: false })}
      >
        In {days} days, everything in this tenant is deleted and cannot be restored.
      </ConfirmByName>
    </Section>
  );
}

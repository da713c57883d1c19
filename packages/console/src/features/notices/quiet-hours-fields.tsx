import { Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import { SEVERITIES, WEEKDAYS } from '@tps/contract/vocabulary';
import { choicesOf, toWords } from '../../kit/index.ts';
import type { QuietSettings } from './channel-settings.ts';

interface QuietHoursFieldsProps {
  readonly value: QuietSettings;
  readonly onChange: (value: QuietSettings) => void;
}

/** When a channel is quiet, and which notices it still sends. */
export function QuietHoursFields({ value, onChange }: QuietHoursFieldsProps) {
  const set = (change: Partial<QuietSettings>) => onChange({ ...value, ...change });
  return (
    <Stack gap="md" pl="md">
      <Group grow align="flex-start">
        <TextInput
          label="From"
          type="time"
          value={value.from}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        <TextInput
          label="Until"
          type="time"
          value={value.until}
          onChange={(event) => set({ until: event.currentTarget.value })}
        />
        <TextInput
          label="Time zone"
          placeholder="Europe/Berlin"
          autoComplete="off"
          maxLength={64}
          value={value.timeZone}
          onChange={(event) => set({ timeZone: event.currentTarget.value })}
        />
      </Group>
      <Checkbox.Group
        label="Days on which they begin"
        value={[...value.days]}
        onChange={(days) => set({ days })}
      >
        <Group gap="sm" mt="xs">
          {WEEKDAYS.map((day) => (
            <Checkbox key={day} size="xs" value={day} label={toWords(day)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Select
        label="Still sent, from severity"
        allowDeselect={false}
        data={[...choicesOf(SEVERITIES), { value: 'none', label: 'None' }]}
        value={value.breakThrough}
        onChange={(severity) => set({ breakThrough: severity as QuietSettings['breakThrough'] })}
      />
    </Stack>
  );
}

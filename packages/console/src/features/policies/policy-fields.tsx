import { Checkbox, Group, Input, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core';
import type { Policy } from '@tps/client';
import { ACTIONS, THREAT_CATEGORIES } from '@tps/contract/vocabulary';
import { toWords } from '../../kit/index.ts';
import type { PolicyRule } from './policy-rule.ts';

interface PolicyFieldsProps {
  readonly value: PolicyRule;
  readonly onChange: (rule: PolicyRule) => void;
}

/** What a policy consists of. */
export function PolicyFields({ value, onChange }: PolicyFieldsProps) {
  const set = (change: Partial<PolicyRule>) => onChange({ ...value, ...change });
  const confidence = Number(value.threshold);
  const isValid = confidence >= 0 && confidence <= 1;
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        maxLength={100}
        autoComplete="off"
        value={value.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Checkbox.Group
        label="Applies to"
        value={[...value.categories]}
        onChange={(categories) => set({ categories: categories as PolicyRule['categories'] })}
      >
        <Group gap="sm" mt={4}>
          {THREAT_CATEGORIES.map((category) => (
            <Checkbox key={category} size="xs" value={category} label={toWords(category)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Group align="flex-start" gap="xl">
        <Input.Wrapper label="Action of the device" labelElement="div">
          <div>
            <SegmentedControl
              size="xs"
              aria-label="Action of the device"
              data={ACTIONS.map((action) => ({ value: action, label: toWords(action) }))}
              value={value.action}
              onChange={(action) => set({ action: action as Policy['action'] })}
            />
          </div>
        </Input.Wrapper>
        <TextInput
          label="From confidence"
          description="0 to 1. Empty: any confidence."
          inputMode="decimal"
          w={190}
          value={value.threshold}
          error={isValid ? undefined : 'Use a number from 0 to 1.'}
          onChange={(event) => set({ threshold: event.currentTarget.value })}
        />
      </Group>
      <Switch
        size="sm"
        label="Enabled"
        checked={value.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </Stack>
  );
}

import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { ROLES, type Role } from '@tps/contract/vocabulary';
import { toWords } from '../../kit/index.ts';
import type { RoleRow } from './sign-on-draft.ts';

const CHOICES = ROLES.map((value) => ({ value, label: toWords(value) }));

interface RoleMapFieldsProps {
  readonly rows: readonly RoleRow[];
  readonly onChange: (rows: readonly RoleRow[]) => void;
}

/** Which value of the provider gives which role. */
export function RoleMapFields({ rows, onChange }: RoleMapFieldsProps) {
  const change = (index: number, row: Partial<RoleRow>) =>
    onChange(rows.map((one, at) => (at === index ? { ...one, ...row } : one)));
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        Roles by value
      </Text>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity: its value is what is being typed.
        <Group key={index} gap="xs" wrap="nowrap">
          <TextInput
            style={{ flex: 1 }}
            aria-label={`Value ${index + 1}`}
            placeholder="security-team"
            value={row.value}
            onChange={(event) => change(index, { value: event.currentTarget.value })}
          />
          <Select
            w={120}
            aria-label={`Role of value ${index + 1}`}
            allowDeselect={false}
            data={CHOICES}
            value={row.role}
            onChange={(role) => change(index, { role: (role ?? 'viewer') as Role })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove value ${index + 1}`}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            <IconX size={14} aria-hidden="true" />
          </ActionIcon>
        </Group>
      ))}
      <Button
        size="compact-xs"
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => onChange([...rows, { value: '', role: 'viewer' }])}
      >
        Add a value
      </Button>
    </Stack>
  );
}

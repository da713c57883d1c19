import { Radio, Stack } from '@mantine/core';
import { ROLE_SCOPES, type Role } from '@tps/contract/vocabulary';
import { useCan } from '../../session/index.ts';
import { ROLE_CHOICES } from './role-words.ts';

interface RolePickerProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

/** Chooses a role. A role with scopes that the person does not have cannot be given. */
export function RolePicker({ value, onChange }: RolePickerProps) {
  const can = useCan();
  return (
    <Radio.Group label="Role" value={value} onChange={(role) => onChange(role as Role)}>
      <Stack gap="xs" mt="xs">
        {ROLE_CHOICES.map(({ value: role, label, description }) => (
          <Radio
            key={role}
            size="xs"
            value={role}
            label={label}
            description={description}
            disabled={!ROLE_SCOPES[role].every(can)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

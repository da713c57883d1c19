import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Copies a value. `label` names it for those who do not see the button: `Copy the ID`. */
export function CopyButton({ value, label = 'Copy' }: { readonly value: string; readonly label?: string }) {
  const { copied, copy } = useClipboard({ timeout: 1500 });
  const CopyIcon = copied ? IconCheck : IconCopy;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={copied ? 'Copied' : label}
      title={copied ? 'Copied' : label}
      onClick={() => copy(value)}
    >
      <CopyIcon size={14} aria-hidden="true" />
    </ActionIcon>
  );
}

import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useDraft } from '../forms/use-draft.ts';
import { ErrorState } from '../states/error-state.tsx';

const DEFAULT_OVERLAP = '86400';

const OVERLAPS = [
  { value: DEFAULT_OVERLAP, label: '1 day' },
  { value: '3600', label: '1 hour' },
  { value: '604800', label: '7 days' },
  { value: '0', label: 'No time: it ends now' },
];

interface RotateSecretFormProps {
  /** The object with the secret. */
  readonly id: string;
  /** What changes, and what to do before the old secret ends. */
  readonly text: string;
  /** Of the field that says for how long both secrets work. */
  readonly label: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Takes the overlap in seconds. */
  readonly rotate: Pick<UseMutationResult<unknown, Error, number>, 'error' | 'isPending' | 'mutate'>;
}

/** Asks for how long the old secret works beside the new one. */
export function RotateSecretForm({ id, text, label, isOpen, onClose, rotate }: RotateSecretFormProps) {
  const draft = useDraft(`rotate:${id}`, DEFAULT_OVERLAP);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="Rotate secret"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        <Select
          data-autofocus
          label={label}
          allowDeselect={false}
          data={OVERLAPS}
          value={draft.value}
          onChange={(overlap) => draft.setValue(overlap ?? DEFAULT_OVERLAP)}
        />
        {rotate.error && <ErrorState error={rotate.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={rotate.isPending}
            onClick={() => rotate.mutate(Number(draft.value), { onSuccess: draft.clear })}
          >
            Create the new secret
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useDraft } from '../forms/use-draft.ts';
import { ErrorState } from '../states/error-state.tsx';

const DEFAULT_OVERLAP = '86400';

const OVERLAPS = [
  { value: DEFAULT_OVERLAP, label: '1 day' },
  { value: '3600', label: '1 hour' },
  { value: '604800', label: '7 days' },
  { value: '0', label: 'No time: it ends now' },
];

interface OverlapDialogProps {
  /** Names the draft: the act and its object. */
  readonly draftKey: string;
  readonly title: string;
  /** What changes, and what to do before the old secret ends. */
  readonly text: ReactNode;
  /** Of the field that says for how long both secrets work. */
  readonly label: string;
  /** Of the button. */
  readonly act: string;
  /** The new secret, once there is one. Only its own button closes it, so that it is not lost by a stray key. */
  readonly created: ReactNode;
  readonly createdTitle: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Takes the overlap in seconds. */
  readonly replace: Pick<UseMutationResult<unknown, Error, number>, 'error' | 'isPending' | 'mutate'>;
}

/** Asks for how long the old secret works beside the new one, and then shows the new one once. */
export function OverlapDialog(props: OverlapDialogProps) {
  const { draftKey, title, text, label, act, created, createdTitle, isOpen, onClose, replace } = props;
  const draft = useDraft(draftKey, DEFAULT_OVERLAP);
  if (created !== undefined) {
    return (
      <Modal key="created" opened onClose={() => {}} withCloseButton={false} size="lg" title={createdTitle}>
        {created}
      </Modal>
    );
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
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
        {replace.error && <ErrorState error={replace.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={replace.isPending}
            onClick={() => replace.mutate(Number(draft.value), { onSuccess: draft.clear })}
          >
            {act}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

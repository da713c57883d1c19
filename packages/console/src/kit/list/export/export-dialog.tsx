import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { ErrorState } from '../../states/error-state.tsx';
import { toCount } from '../../values/words.ts';
import type { Export } from './use-export.ts';

interface ExportDialogProps {
  readonly exported: Export;
  readonly noun: { readonly one: string; readonly many: string };
}

/** The progress of an export, and the way to stop it. */
export function ExportDialog({ exported: { state, begin, cancel }, noun }: ExportDialogProps) {
  if (!state) return null;
  return (
    <Modal opened onClose={cancel} title={`Export ${noun.many} as ${state.format.toUpperCase()}`}>
      {state.error ? (
        <ErrorState error={state.error} retry={() => begin(state.format)} />
      ) : (
        <Stack gap="sm">
          <Text size="sm" role="status">
            {toCount(state.done, noun)} read
          </Text>
          <Progress value={100} animated aria-label="Reading" />
          <Group justify="flex-end">
            <Button variant="default" onClick={cancel}>
              Stop
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

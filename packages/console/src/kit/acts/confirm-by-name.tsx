import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { ErrorState } from '../states/error-state.tsx';

interface ConfirmByNameProps {
  readonly opened: boolean;
  readonly title: string;
  /** What happens, and that it cannot be undone. */
  readonly children: ReactNode;
  /** What the reader types: the name of the object. */
  readonly name: string;
  /** The word on the button: `Revoke`. */
  readonly act: string;
  readonly isPending?: boolean;
  readonly error?: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for the name of an object before it is destroyed. */
export function ConfirmByName(props: ConfirmByNameProps) {
  const { opened, title, children, name, act, isPending = false, error, onConfirm, onClose } = props;
  const [typed, setTyped] = useState('');
  const formId = useId();
  const close = () => {
    setTyped('');
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === name) onConfirm();
  };
  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form id={formId} onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm" component="div">
            {children}
          </Text>
          <TextInput
            data-autofocus
            label={
              <>
                Type <strong>{name}</strong> to confirm
              </>
            }
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {error && <ErrorState error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={typed !== name} loading={isPending}>
              {act}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

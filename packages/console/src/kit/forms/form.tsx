import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { ErrorState } from '../states/error-state.tsx';

export interface FormProps {
  /** The fields. */
  readonly children: ReactNode;
  /** The word on the button that sends the form: `Save`. */
  readonly act: string;
  readonly isDangerous?: boolean;
  /** Whether it is complete, so that it can be sent. */
  readonly isReady?: boolean;
  /** The change that it sends, as `useAct` returns it. */
  readonly change?: { readonly error: Error | null; readonly isPending: boolean } | undefined;
  readonly onSubmit: () => void;
  /** Default: no button to leave. */
  readonly onCancel?: () => void;
  /** The word on that button. */
  readonly cancel?: string;
}

/** A form in a dialog: its fields, what was wrong with the last try, and the buttons. */
export function Form(props: FormProps) {
  const { children, act, isDangerous = false, isReady = true, change, onSubmit, onCancel } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {children}
        {change?.error && <ErrorState error={change.error} />}
        <Group justify="flex-end" gap="xs">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {props.cancel ?? 'Cancel'}
            </Button>
          )}
          <Button
            type="submit"
            {...(isDangerous && { color: 'red' })}
            disabled={!isReady}
            loading={change?.isPending ?? false}
          >
            {act}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

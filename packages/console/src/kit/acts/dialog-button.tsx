import { Button } from '@mantine/core';
import { useDialog } from './use-dialog.ts';

interface DialogButtonProps {
  /** The name of the dialog in `useDialog`. */
  readonly opens: string;
  readonly label: string;
  readonly isMain?: boolean;
}

/** A button that opens a dialog of the page. */
export function DialogButton({ opens, label, isMain = false }: DialogButtonProps) {
  const { open } = useDialog(opens);
  return (
    <Button variant={isMain ? 'filled' : 'default'} onClick={open}>
      {label}
    </Button>
  );
}

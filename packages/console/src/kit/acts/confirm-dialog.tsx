import { ConfirmByName, type ConfirmByNameProps } from './confirm-by-name.tsx';
import { type ActOptions, useAct } from './use-act.ts';
import { useDialog } from './use-dialog.ts';

interface ConfirmDialogProps
  extends Pick<ConfirmByNameProps, 'title' | 'children' | 'name' | 'act'>,
    Pick<ActOptions<void, unknown>, 'run' | 'changes' | 'done' | 'onDone'> {
  /** Its name in `useDialog`. */
  readonly dialog: string;
}

/** A dialog of the page that destroys an object after its name was typed. Then it closes, unless there is an `onDone`. */
export function ConfirmDialog({ dialog, title, children, name, act, ...options }: ConfirmDialogProps) {
  const { isOpen, close } = useDialog(dialog);
  const change = useAct({ onDone: close, ...options, showsError: true });
  return (
    <ConfirmByName
      opened={isOpen}
      title={title}
      name={name}
      act={act}
      change={change}
      onConfirm={() => change.mutate()}
      onClose={close}
    >
      {children}
    </ConfirmByName>
  );
}

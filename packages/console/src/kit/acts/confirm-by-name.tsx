import { Modal, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Form, type FormProps } from '../forms/form.tsx';

export interface ConfirmByNameProps {
  readonly opened: boolean;
  readonly title: string;
  /** What happens, and that it cannot be undone. */
  readonly children: ReactNode;
  /** What the reader types: the name of the object. */
  readonly name: string;
  /** The word on the button: `Revoke`. */
  readonly act: string;
  /** The change, as `useAct` returns it. */
  readonly change: FormProps['change'];
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for the name of an object before it is destroyed. */
export function ConfirmByName(props: ConfirmByNameProps) {
  const { opened, title, children, name, act, change, onConfirm, onClose } = props;
  const [typed, setTyped] = useState('');
  const close = () => {
    setTyped('');
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <Form
        act={act}
        isReady={typed === name}
        change={change}
        onSubmit={onConfirm}
        onCancel={close}
        isDangerous
      >
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
      </Form>
    </Modal>
  );
}

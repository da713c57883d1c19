import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

interface CreateDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The form. */
  readonly children: ReactNode;
  /** What is shown once after the form was sent, such as a secret. A stray key or click does not close it. */
  readonly created: ReactNode;
  readonly createdTitle: string;
}

/** Asks for what to create, and then shows once what was created. */
export function CreateDialog(props: CreateDialogProps) {
  const { isOpen, onClose, title, children, created, createdTitle } = props;
  const isCreated = created !== undefined;
  return (
    <Modal
      opened={isOpen || isCreated}
      onClose={isCreated ? () => {} : onClose}
      withCloseButton={!isCreated}
      size="lg"
      title={isCreated ? createdTitle : title}
    >
      {isCreated ? created : children}
    </Modal>
  );
}

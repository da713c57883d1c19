import './mantine-more.css';
import { Button, Modal, Text } from '@mantine/core';
import { Notifications as MantineNotifications } from '@mantine/notifications';
import { accountPage } from '../session/index.ts';

/** Where outcomes of changes are announced. */
export function Notifications() {
  return <MantineNotifications position="bottom-right" limit={4} />;
}

/** Over the page when the session has ended meanwhile. The page stays, and what was typed is kept for the return. */
export function SignedOutDialog() {
  return (
    <Modal opened onClose={() => {}} withCloseButton={false} title="You are signed out">
      <Text size="sm" mb="md">
        Your session has ended, here or in another window. Sign in to continue where you are.
      </Text>
      <Button component="a" href={accountPage('login')} data-autofocus>
        Sign in
      </Button>
    </Modal>
  );
}

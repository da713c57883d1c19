import { Button, Stack, Text } from '@mantine/core';
import { wordsOfError } from './error-words.ts';

/** Why something could not be read or done, with the request id for the operator. */
export function ErrorState({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  const { title, message, requestId } = wordsOfError(error);
  return (
    <Stack align="flex-start" gap="sm" py="md" role="alert">
      <Text fw={600}>{title}</Text>
      <Text size="sm">{message}</Text>
      {requestId !== undefined && (
        <Text size="xs" c="dimmed">
          Request {requestId}
        </Text>
      )}
      {retry && (
        <Button variant="default" size="xs" onClick={retry}>
          Try again
        </Button>
      )}
    </Stack>
  );
}

import { Button, Stack, Text } from '@mantine/core';
import { ApiError, ConnectionError, NotFoundError, PermissionError, TimeoutError } from '@tps/client';

/** Why something could not be read, in words for the reader, with the request id for the operator. */
export function ErrorState({ error, retry }: { error: Error; retry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Stack align="flex-start" gap="sm" py="md" role="alert">
      <Text fw={600}>{titleOf(error)}</Text>
      <Text size="sm">{error.message}</Text>
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

function titleOf(error: Error): string {
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return 'The service does not respond';
  if (error instanceof NotFoundError) return 'This does not exist, or belongs to another tenant';
  if (error instanceof PermissionError) return 'Your role does not allow this';
  return 'This did not work';
}

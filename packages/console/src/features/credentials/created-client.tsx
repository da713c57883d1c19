import { Button, Group, Stack, Text } from '@mantine/core';
import type { CreatedOAuthClient } from '@tps/client';
import { CopyButton, SecretOnce, Snippet } from '../../kit/index.ts';
import { API_URL } from '../../session/index.ts';

interface CreatedClientProps {
  readonly created: CreatedOAuthClient;
  readonly onStored: () => void;
}

/** What a program needs to use its client: the id, and the secret this one time. */
export function CreatedClient({ created, onStored }: CreatedClientProps) {
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = created;
  const hasSecret = method === 'client_secret_basic' || method === 'client_secret_post';
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Text size="sm">Client ID</Text>
        <code>{id}</code>
        <CopyButton value={id} label="Copy the client ID" />
      </Group>
      {secret !== undefined && <SecretOnce name="Client secret" secret={secret} onStored={onStored} />}
      {hasSecret && secret === undefined && (
        <Text size="sm">
          The secret was created, but the response was lost, and it cannot be shown again. Rotate it to get
          another.
        </Text>
      )}
      {hasSecret && created.grant_types.includes('client_credentials') && (
        <Snippet
          label="Request for an access token"
          code={`curl ${API_URL}/auth/token -d grant_type=client_credentials -K - <<< "user = ${id}:$CLIENT_SECRET"`}
        />
      )}
      {secret === undefined && (
        <Button size="xs" onClick={onStored} style={{ alignSelf: 'flex-start' }}>
          Open the client
        </Button>
      )}
    </Stack>
  );
}

import { Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { OAuthClient } from '@tps/client';
import { ConfirmDialog, EndingList, removed } from '../../kit/index.ts';

export function DeleteClientDialog({ client }: { readonly client: OAuthClient }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      dialog="delete"
      title="Delete OAuth client"
      name={client.name}
      act="Delete client"
      run={(api) => removed(api.oauthClients.remove(client.client_id))}
      changes={[]}
      done="OAuth client deleted"
      onDone={() => {
        // Not read now: this client is gone.
        queries.invalidateQueries({ queryKey: ['oauth-clients'], refetchType: 'none' });
        navigate({ to: '/oauth-clients' });
      }}
    >
      <Stack gap="xs">
        Its tokens and grants end at once, on every node. Programs and people that use it have to be set up
        again. This cannot be undone.
        <EndingList root={{ client_id: client.client_id }} />
      </Stack>
    </ConfirmDialog>
  );
}

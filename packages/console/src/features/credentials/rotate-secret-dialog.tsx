import type { CreatedOAuthClient, OAuthClient } from '@tps/client';
import { useState } from 'react';
import { OverlapDialog, useAct, useDialog } from '../../kit/index.ts';
import { CreatedClient } from './created-client.tsx';

/** Replaces the secret of a client. Both work until the old one ends. */
export function RotateSecretDialog({ client }: { readonly client: OAuthClient }) {
  const { isOpen, close } = useDialog('rotate');
  const [created, setCreated] = useState<CreatedOAuthClient>();
  const rotate = useAct<number, CreatedOAuthClient>({
    run: async (api, overlap, { isRepeat }) => {
      if (isRepeat) {
        // An earlier try has rotated it. Another rotation would end the secret that the program has.
        const now = await api.oauthClients.get(client.client_id);
        if (now.secret_hint !== client.secret_hint) return now;
      }
      return api.oauthClients.rotateSecret(client.client_id, { overlap_s: overlap });
    },
    changes: [['oauth-clients']],
    onDone: setCreated,
    showsError: true,
  });
  const finish = () => {
    setCreated(undefined);
    close();
  };
  return (
    <OverlapDialog
      draftKey={`rotate:${client.client_id}`}
      title="Rotate secret"
      text="Give the program the new secret before the old one ends. Its access tokens stay valid."
      label="The old secret keeps working for"
      act="Create the new secret"
      created={created && <CreatedClient created={created} onStored={finish} />}
      createdTitle="The new secret"
      isOpen={isOpen}
      onClose={close}
      replace={rotate}
    />
  );
}

import { useNavigate } from '@tanstack/react-router';
import type { Client, CreatedToken, Token } from '@tps/client';
import { useState } from 'react';
import { OverlapDialog, useAct, useDialog } from '../../kit/index.ts';
import { CreatedKey } from './new-key-dialog.tsx';

/** Returns the key that an earlier try, whose answer was lost, has made. It has no secret any more. */
async function findSuccessor(client: Client, { token_id: id, expires_at: end }: Token) {
  if ((await client.tokens.get(id)).expires_at === end) return undefined;
  const { data } = await client.tokens.auditOf(id, { action: 'token.roll', limit: 1 }).page();
  const successor = data[0]?.fields?.successor;
  return typeof successor === 'string' ? client.tokens.get(successor) : undefined;
}

/** Replaces a key. Programs can use either key until the old one ends. */
export function RollKeyDialog({ token }: { readonly token: Token }) {
  const { isOpen, close } = useDialog('roll');
  const navigate = useNavigate();
  const [created, setCreated] = useState<CreatedToken>();
  const roll = useAct<number, CreatedToken>({
    run: async (client, grace, { isRepeat }) =>
      (isRepeat && (await findSuccessor(client, token))) ||
      client.tokens.roll(token.token_id, { grace_s: grace }),
    changes: [['keys']],
    onDone: setCreated,
    showsError: true,
  });
  const show = ({ token_id }: CreatedToken) => navigate({ to: `/keys/${token_id}` });
  return (
    <OverlapDialog
      draftKey={`roll:${token.token_id}`}
      title="Roll key"
      text={
        <>
          The new key has the name, the scopes and the expiry of <strong>{token.name}</strong>. Give it to the
          program before the old key ends.
        </>
      }
      label="The old key keeps working for"
      act="Create the new key"
      created={created && <CreatedKey created={created} onStored={() => show(created)} />}
      createdTitle="The key that replaces it"
      isOpen={isOpen}
      onClose={close}
      replace={roll}
    />
  );
}

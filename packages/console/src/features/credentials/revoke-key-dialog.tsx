import type { Token } from '@tps/client';
import { ConfirmByName, removed, TimeValue, useAct, useDialog } from '../../kit/index.ts';

/** Ends a key for good. */
export function RevokeKeyDialog({ token }: { readonly token: Token }) {
  const { isOpen, close } = useDialog('revoke');
  const revoke = useAct({
    run: (client) => removed(client.tokens.revoke(token.token_id)),
    changes: [['keys']],
    done: 'Key revoked',
    onDone: close,
    showsError: true,
  });
  return (
    <ConfirmByName
      opened={isOpen}
      title="Revoke key"
      name={token.name}
      act="Revoke key"
      change={revoke}
      onConfirm={() => revoke.mutate()}
      onClose={close}
    >
      The service rejects requests with this key at once, on every node. This cannot be undone. Last used:{' '}
      {token.last_used_at === null ? 'never' : <TimeValue value={token.last_used_at} />}.
    </ConfirmByName>
  );
}

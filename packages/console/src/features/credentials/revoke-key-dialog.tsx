import type { Token } from '@tps/client';
import { ConfirmDialog, removed, TimeValue } from '../../kit/index.ts';

/** Ends a key for good. */
export function RevokeKeyDialog({ token }: { readonly token: Token }) {
  return (
    <ConfirmDialog
      dialog="revoke"
      title="Revoke key"
      name={token.name}
      act="Revoke key"
      run={(client) => removed(client.tokens.revoke(token.token_id))}
      changes={[['keys']]}
      done="Key revoked"
    >
      The service rejects requests with this key at once, on every node. This cannot be undone. Last used:{' '}
      <TimeValue value={token.last_used_at} absent="never" />.
    </ConfirmDialog>
  );
}

import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@tps/client';
import { ConfirmDialog, removed } from '../../kit/index.ts';

/** Deletes a webhook with its deliveries. */
export function RemoveWebhookDialog({ webhook }: { readonly webhook: Webhook }) {
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      dialog="remove"
      title="Delete webhook"
      name={nameOf(webhook.url)}
      act="Delete webhook"
      run={(client) => removed(client.webhooks.remove(webhook.webhook_id))}
      changes={[['webhooks'], ['dead-letters']]}
      done="Webhook deleted"
      onDone={() => navigate({ to: '/webhooks' })}
    >
      Events are no longer sent to this URL. Its deliveries and dead letters are deleted too, and this cannot
      be undone. To stop for a while, pause it.
    </ConfirmDialog>
  );
}

/** What people type: the host, because a whole URL is long. */
function nameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

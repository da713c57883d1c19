import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@tps/client';
import { ConfirmByName, removed, useAct, useDialog } from '../../kit/index.ts';

/** Deletes a webhook with its deliveries. */
export function RemoveWebhookDialog({ webhook }: { readonly webhook: Webhook }) {
  const { isOpen, close } = useDialog('remove');
  const navigate = useNavigate();
  const remove = useAct({
    run: (client) => removed(client.webhooks.remove(webhook.webhook_id)),
    changes: [['webhooks'], ['dead-letters']],
    done: 'Webhook deleted',
    onDone: () => navigate({ to: '/webhooks' }),
    showsError: true,
  });
  return (
    <ConfirmByName
      opened={isOpen}
      title="Delete webhook"
      name={nameOf(webhook.url)}
      act="Delete webhook"
      change={remove}
      onConfirm={() => remove.mutate()}
      onClose={close}
    >
      Events are no longer sent to this URL. Its deliveries and dead letters are deleted too, and this cannot
      be undone. To stop for a while, pause it.
    </ConfirmByName>
  );
}

/** What people type: the host, because a whole URL is long. */
function nameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

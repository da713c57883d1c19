import type { Webhook } from '@tps/client';
import {
  choicesOf,
  column,
  DialogButton,
  EmptyState,
  type ListDefinition,
  ListPage,
  StatusBadge,
} from '../../kit/index.ts';
import { useCan } from '../../session/index.ts';
import { HealthStrip } from './health-strip.tsx';
import { NewWebhookDialog } from './new-webhook-dialog.tsx';
import { WebhookFlyout } from './webhook-detail.tsx';
import { severitiesText, stateOf } from './webhook-words.ts';

const WEBHOOKS: ListDefinition<Webhook> = {
  noun: { one: 'webhook', many: 'webhooks' },
  queryKey: 'webhooks',
  read: (client, query, page) => client.webhooks.list({ ...query, ...page }).page(),
  idOf: ({ webhook_id }) => webhook_id,
  titleOf: ({ url }) => url,
  columns: [
    column.text({ id: 'url', header: 'URL', width: 280, grows: true, onCard: 'title' }),
    {
      id: 'status',
      header: 'Status',
      value: (webhook) => webhook.status,
      cell: (webhook) => <StatusBadge {...stateOf(webhook)} />,
      filter: 'status',
      width: 150,
      onCard: 'mark',
    },
    {
      id: 'health',
      header: 'Deliveries, 24 h',
      value: (webhook) => webhook.last_delivery_status ?? '',
      cell: (webhook) => <HealthStrip id={webhook.webhook_id} />,
      width: 230,
      onCard: 'line',
    },
    column.time({
      id: 'last_delivery_at',
      header: 'Last delivery',
      absent: 'Never',
      width: 120,
      onCard: 'line',
    }),
    { id: 'severity_filter', header: 'Severities', value: severitiesText, width: 150 },
    column.time({ id: 'created_at', header: 'Created', width: 120, hiddenByDefault: true }),
    column.id({ id: 'id', from: 'webhook_id', header: 'ID', width: 260, hiddenByDefault: true }),
  ],
  filters: [
    { name: 'status', label: 'Status', kind: 'any-of', choices: choicesOf(['active', 'disabled']) },
    { name: 'since', label: 'Created', kind: 'time-range' },
  ],
  detail: (id) => <WebhookFlyout id={id} />,
  empty: (
    <EmptyState title="No webhooks yet">
      A webhook sends each warning and block to a URL of yours as soon as it arrives, signed, and retries
      failed attempts. Create one, then send a test.
    </EmptyState>
  ),
};

export function WebhooksPage() {
  const can = useCan();
  return (
    <>
      <ListPage
        definition={WEBHOOKS}
        title="Webhooks"
        description="The receivers of your events, and whether deliveries succeed."
        actions={can('webhooks:write') && <DialogButton opens="new" label="New webhook" isMain />}
      />
      {can('webhooks:write') && <NewWebhookDialog />}
    </>
  );
}

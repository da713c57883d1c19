import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Webhook } from '@tps/client';
import {
  DetailLayout,
  DialogButton,
  detailPage,
  Facts,
  History,
  QueryState,
  Section,
  StatusBadge,
  TimeValue,
  toWords,
  useAct,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import { DeliveriesSection } from './deliveries-section.tsx';
import { EditWebhookDialog } from './edit-webhook-dialog.tsx';
import { HealthStrip } from './health-strip.tsx';
import { MissedSection } from './missed-section.tsx';
import { RemoveWebhookDialog } from './remove-webhook-dialog.tsx';
import { RotateSecretDialog } from './rotate-secret-dialog.tsx';
import { webhookQuery } from './webhook-queries.ts';
import { severitiesText, stateOf, whyPaused } from './webhook-words.ts';

/** A webhook: the same on its page and beside the list. */
export function WebhookFlyout({ id }: { readonly id: string }) {
  const query = useQuery(webhookQuery(useClient(), id));
  return (
    <QueryState query={query}>
      {(webhook) => <WebhookDetail key={webhook.webhook_id} webhook={webhook} />}
    </QueryState>
  );
}

export const WebhookPage = detailPage(WebhookFlyout);

function WebhookDetail({ webhook }: { readonly webhook: Webhook }) {
  const mayChange = useCan()('webhooks:write');
  const { webhook_id: id } = webhook;
  const paused = whyPaused(webhook);
  return (
    <DetailLayout
      id={id}
      title={webhook.url}
      marks={<StatusBadge {...stateOf(webhook)} />}
      actions={mayChange && <WebhookActions webhook={webhook} />}
    >
      {paused !== undefined && (
        <Alert color={webhook.disabled_reason === 'requested' ? 'gray' : 'red'} title="Paused">
          {paused}
        </Alert>
      )}
      <Section title="Last 24 hours">
        <HealthStrip id={id} isLarge />
        <Facts items={healthOf(webhook)} />
      </Section>
      <DeliveriesSection webhook={webhook} />
      <MissedSection webhook={webhook} />
      <Section title="Settings">
        <Facts items={settingsOf(webhook)} />
      </Section>
      <History id={id} />
      {mayChange && <EditWebhookDialog webhook={webhook} />}
      {mayChange && <RotateSecretDialog webhook={webhook} />}
      {mayChange && <RemoveWebhookDialog webhook={webhook} />}
    </DetailLayout>
  );
}

function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const { webhook_id: id, status, disabled_reason: reason } = webhook;
  const isActive = status === 'active';
  const test = useAct({
    run: (client) => client.webhooks.test(id),
    changes: [['webhooks', id]],
    done: 'Test sent: its outcome is the first delivery below.',
  });
  const toggle = useAct({
    run: (client) => client.webhooks.update(id, { status: isActive ? 'disabled' : 'active' }),
    changes: [['webhooks']],
    done: isActive ? 'Webhook paused' : 'Webhook resumed: pending deliveries are sent.',
  });
  return (
    <>
      {isActive && (
        <Button size="xs" loading={test.isPending} onClick={() => test.mutate()}>
          Send test
        </Button>
      )}
      {reason !== 'secret_lost' && (
        <Button size="xs" variant="default" loading={toggle.isPending} onClick={() => toggle.mutate()}>
          {isActive ? 'Pause' : 'Resume'}
        </Button>
      )}
      <DialogButton opens="edit" label="Edit" />
      <DialogButton opens="rotate" label="Rotate secret" />
      <DialogButton opens="remove" label="Delete" />
    </>
  );
}

function healthOf(webhook: Webhook) {
  const { last_delivery_at: at, last_delivery_status: status, next_probe_at: probe } = webhook;
  return [
    { label: 'Last event', value: <TimeValue value={at} absent="None yet" /> },
    { label: 'Last outcome', value: status && <StatusBadge value={status} /> },
    { label: 'Last error', value: webhook.last_delivery_error },
    { label: 'Next probe', value: probe && <TimeValue value={probe} format="full" /> },
  ];
}

function settingsOf(webhook: Webhook) {
  const { previous_secret_until: until } = webhook;
  return [
    { label: 'Severities', value: toWords(severitiesText(webhook)) },
    {
      label: 'Automatic replay',
      value: webhook.auto_replay ? 'On: when the receiver responds again' : 'Off',
    },
    {
      label: 'Old secret',
      value: until && (
        <>
          signs until <TimeValue value={until} format="full" />
        </>
      ),
    },
    { label: 'Created', value: <TimeValue value={webhook.created_at} format="full" /> },
    { label: 'Updated', value: <TimeValue value={webhook.updated_at} format="full" /> },
  ];
}
